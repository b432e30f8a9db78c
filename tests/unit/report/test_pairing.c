#include "../unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"
#include "report/pairing.h"
#include "report/warnings.h"

/* Axes "SCOPE,VCPUS,MALLOC"; three runs each. */
struct setup_text {
    const char *name;
    const char *scope;
    int vcpus;
    const char *malloc;
};

static const struct setup_text setups[] = {
    {"process-1", "process", 1, "libc"},        {"system-1", "system", 1, "libc"},
    {"process-2", "process", 2, "libc"},        {"system-2", "system", 2, "libc"},
    {"process-2-je", "process", 2, "jemalloc"}, {"system-4", "system", 4, "libc"},
};

/* Three blocks of all setups: setup s has the rates 100 + 10 s + 0, 1, 2. */
static void load(struct results *results)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (int block = 0; block < 3; block++) {
        for (size_t i = 0; i < ARRAY_LENGTH(setups); i++) {
            const struct setup_text *setup = &setups[i];
            const char *flags = "\"shared-core\"";
            fprintf(out,
                    "{\"setup\":\"%s\",\"axes\":{\"scope\":\"%s\",\"vcpus\":%d,\"malloc\":\"%s\"},"
                    "\"qps\":%zu,\"flags\":[%s%s]}\n",
                    setup->name, setup->scope, setup->vcpus, setup->malloc,
                    100 + 10 * i + (size_t)block, flags, block == 0 && i == 1 ? ",\"lossy\"" : "");
        }
    }
    assert_int_equal(fclose(out), 0);
    struct diag diag = {0};
    assert_int_equal(results_parse(text, size, "f", results, &diag), 0);
    free(text);
}

static void setups_that_differ_in_scope_alone_are_pairs(void **state)
{
    (void)state;
    struct results results;
    struct pairing_list list;
    load(&results);
    assert_int_equal(pairing_by_scope(&results, CONFIDENCE_95, &list), 0);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.items[0].base->name, "process-1");
    assert_string_equal(list.items[0].other->name, "system-1");
    assert_string_equal(list.items[1].base->name, "process-2");
    assert_string_equal(list.items[1].other->name, "system-2");
    assert_true(list.items[0].has_comparison);
    assert_float_equal(list.items[0].comparison.difference, 10, 1e-9);
    assert_string_equal(list.items[0].words.base, "process scope");
    assert_string_equal(list.items[0].words.more, "faster");
    pairing_list_free(&list);
    results_free(&results);
}

static void a_base_is_compared_with_all_others(void **state)
{
    (void)state;
    struct results results;
    struct pairing_list list;
    load(&results);
    assert_int_equal(pairing_with_base(&results, 2, CONFIDENCE_95, &list), 0);
    assert_int_equal(list.count, ARRAY_LENGTH(setups) - 1);
    for (size_t i = 0; i < list.count; i++) {
        assert_ptr_equal(list.items[i].base, &results.setups[2]);
        assert_ptr_not_equal(list.items[i].other, &results.setups[2]);
    }
    pairing_list_free(&list);
    results_free(&results);
}

static void warnings_say_of_how_many_runs(void **state)
{
    (void)state;
    struct results results;
    struct pairing_list list;
    struct text_list warnings = {0};
    load(&results);
    assert_int_equal(pairing_by_scope(&results, CONFIDENCE_95, &list), 0);
    pairing_warnings(&results, &list.items[0], &warnings);
    assert_int_equal(warnings.count, 2);
    assert_string_equal(warnings.items[0],
                        "shared-core in all 6 runs (load tool and server ran on the same core: "
                        "each took time from the other)");
    assert_string_equal(warnings.items[1], "lossy in 1 of 6 runs, of system-1 (queries were lost: "
                                           "an overloaded server's rate)");
    text_list_free(&warnings);
    pairing_list_free(&list);
    results_free(&results);
}

/* One run in which the load tool was the limit is enough, on either side. */
static void a_bound_load_tool_makes_doubtful(void **state)
{
    (void)state;
    static const char *const bound[] = {"", "a", "b"};
    for (size_t i = 0; i < ARRAY_LENGTH(bound); i++) {
        char text[512] = "";
        for (int run = 0; run < 6; run++) {
            const char *setup = run % 2 == 0 ? "a" : "b";
            bool is_bound = run < 2 && strcmp(setup, bound[i]) == 0;
            size_t used = strlen(text);
            snprintf(text + used, sizeof(text) - used, "{\"setup\":\"%s\",\"qps\":%d%s}\n", setup,
                     run, is_bound ? ",\"flags\":[\"generator-bound\"]" : "");
        }
        struct results results;
        struct diag diag = {0};
        assert_int_equal(results_parse(text, strlen(text), "f", &results, &diag), 0);
        assert_int_equal(warnings_make_doubtful(&results, &results.setups[0], &results.setups[1]),
                         i > 0);
        results_free(&results);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setups_that_differ_in_scope_alone_are_pairs),
        cmocka_unit_test(a_base_is_compared_with_all_others),
        cmocka_unit_test(a_bound_load_tool_makes_doubtful),
        cmocka_unit_test(warnings_say_of_how_many_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
