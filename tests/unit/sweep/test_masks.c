/* Masks that are read back: any difference, in any thread, on either side is found. */
#include "../unit.h"

#include <string.h>

#include "core/attributes.h"
#include "core/error.h"
#include "sweep/masks.h"

static struct cpu_set set_of(const char *text)
{
    struct cpu_set set = {0};
    struct diag diag = {0};
    assert_int_equal(cpu_set_parse(text, &set, &diag), 0);
    return set;
}

static const struct {
    const char *asked;
    const char *threads[3];
    const char *wrong; /* the mask to be named; NULL: all are right */
} cases[] = {
    {"0", {"0", "0", "0"}, NULL},      {"0-1", {"0-1", "0-1", "0-1"}, NULL},
    {"0", {"1", "0", "0"}, "1"},       {"0", {"0", "0", "0-1"}, "0-1"},
    {"0-1", {"0-1", "0", "0-1"}, "0"}, {"2,5", {"2,5", "2,5", "2-5"}, "2-5"},
    {"2,5", {"5", "2,5", "2,5"}, "5"},
};

static void check(size_t index, int status, const struct diag *diag)
{
    char expected[64];
    if (cases[index].wrong == NULL) {
        assert_int_equal(status, 0);
        return;
    }
    assert_int_equal(status, ERR_UNSUPPORTED);
    snprintf(expected, sizeof(expected), "on CPUs %s instead of %s in the setup x",
             cases[index].wrong, cases[index].asked);
    assert_non_null(strstr(diag->message, expected));
}

static void the_targets_threads(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct proc_thread threads[3];
        memset(threads, 0, sizeof(threads));
        for (size_t j = 0; j < 3; j++) {
            threads[j].allowed = set_of(cases[i].threads[j]);
        }
        const struct proc_sample sample = {.threads = threads, .thread_count = 3};
        const struct cpu_set asked = set_of(cases[i].asked);
        struct diag diag = {0};
        check(i, masks_check_target(&sample, &asked, "x", &diag), &diag);
    }
}

static void the_load_tools_threads(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        json_t *load =
            json_pack("{s{s[{ss}{ss}{ss}]}}", "client", "threads", "allowed", cases[i].threads[0],
                      "allowed", cases[i].threads[1], "allowed", cases[i].threads[2]);
        assert_non_null(load);
        const struct cpu_set asked = set_of(cases[i].asked);
        struct diag diag = {0};
        check(i, masks_check_load(load, &asked, "x", &diag), &diag);
        json_decref(load);
    }
}

/* What the load tool does not tell, or not as a list of CPUs, is not taken for right. */
static void unknown_is_wrong(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"client\":{\"threads\":[{}]}}",
        "{\"client\":{\"threads\":[{\"allowed\":7}]}}",
        "{\"client\":{\"threads\":[{\"allowed\":\"x\"}]}}",
    };
    const struct cpu_set asked = set_of("0");
    for (size_t i = 0; i < ARRAY_LENGTH(texts); i++) {
        json_t *load = json_loads(texts[i], 0, NULL);
        struct diag diag = {0};
        assert_int_equal(masks_check_load(load, &asked, "x", &diag), ERR_UNSUPPORTED);
        json_decref(load);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_targets_threads),
        cmocka_unit_test(the_load_tools_threads),
        cmocka_unit_test(unknown_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
