#include "../unit.h"

#include <string.h>

#include "core/attributes.h"
#include "system/host_info.h"

static void fields(void **state)
{
    (void)state;
    static const char text[] = "processor\t: 0\nmodel name\t: AMD EPYC 9354P \nmicrocode\t: 0xa10\n"
                               "flags\t\t: fpu vme hypervisor\nbad line\nempty\t:\n"
                               "odd\t: a\xff\x01z\n\nprocessor\t: 1\nmodel name\t: other\nlast: x";
    static const struct {
        const char *name;
        const char *value;
    } cases[] = {
        {"model name", "AMD EPYC 9354P"},
        {"microcode", "0xa10"},
        {"processor", "0"},
        {"empty", ""},
        {"odd", "a??z"},
        {"last", "x"},
        {"model", NULL},
        {"bad line", NULL},
        {"bogus", NULL},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        json_t *value = host_info_field(text, cases[i].name);
        assert_non_null(value);
        if (cases[i].value == NULL) {
            assert_true(json_is_null(value));
        } else {
            assert_string_equal(json_string_value(value), cases[i].value);
        }
        json_decref(value);
    }
    assert_true(json_is_null(host_info_field("", "x")));
}

/* Below a root that has nothing, everything that is read is null, and nothing fails. */
static void nothing_readable(void **state)
{
    (void)state;
    struct topology_cpu cpus[] = {{.id = 0, .online = true, .allowed = true}};
    const struct topology topology = {.cpus = cpus, .cpu_count = 1, .core_count = 1};
    json_t *info = host_info_json("/no/such/root", &topology);
    static const char *const nulls[] = {"cpu_model",   "memory_total",    "governor",   "turbo",
                                        "mitigations", "virtual_machine", "clocksource"};
    for (size_t i = 0; i < ARRAY_LENGTH(nulls); i++) {
        assert_true(json_is_null(json_object_get(info, nulls[i])));
    }
    json_t *shown = json_object_get(info, "topology");
    assert_string_equal(json_string_value(json_object_get(shown, "usable")), "0");
    assert_null(json_object_get(shown, "cpus"));
    json_decref(info);
}

static void this_machine(void **state)
{
    (void)state;
    const struct topology none = {0};
    json_t *info = host_info_json("", &none);
    assert_non_null(strstr(json_string_value(json_object_get(info, "kernel")), "Linux"));
    assert_non_null(strstr(json_string_value(json_object_get(info, "memory_total")), "kB"));
    assert_non_null(strstr(json_string_value(json_object_get(info, "libc")), "glibc"));
    json_decref(info);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields),
        cmocka_unit_test(nothing_readable),
        cmocka_unit_test(this_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
