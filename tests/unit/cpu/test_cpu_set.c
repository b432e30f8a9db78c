#include "../unit.h"

#include <stdio.h>
#include <string.h>

#include "core/attributes.h"
#include "core/error.h"
#include "cpu/cpu_set.h"

static struct cpu_set set_of(const char *text)
{
    struct cpu_set set = {0};
    struct diag diag = {0};
    if (*text != '\0') {
        assert_int_equal(cpu_set_parse(text, &set, &diag), 0);
    }
    return set;
}

static void assert_set(const struct cpu_set *set, const char *expected)
{
    char text[CPU_SET_TEXT_SIZE];
    assert_int_equal(cpu_set_format(set, text, sizeof(text)), strlen(expected));
    assert_string_equal(text, expected);
}

static void lists(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *canonical;
        size_t count;
    } cases[] = {
        {"0", "0", 1},         {"0-3,8", "0-3,8", 5},
        {"8,0-3", "0-3,8", 5}, {"3,2,1", "1-3", 3},
        {"5-5", "5", 1},       {"0-1,1-2", "0-2", 3},
        {"007", "7", 1},       {"63,64,65", "63-65", 3},
        {"0,2,4", "0,2,4", 3}, {"0-8191", "0-8191", 8192},
        {"8191", "8191", 1},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct cpu_set set = set_of(cases[i].text);
        assert_set(&set, cases[i].canonical);
        assert_int_equal(cpu_set_count(&set), cases[i].count);
    }
}

static void bad_lists(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int status;
        const char *message;
    } cases[] = {
        {"", ERR_SYNTAX, "an empty CPU list; write one like 0-3,8"},
        {"3-1", ERR_SYNTAX, "CPU list \"3-1\": the range 3-1 runs backwards; write 1-3"},
        {"0,,1", ERR_SYNTAX,
         "CPU list \"0,,1\": ',' at character 3 where a number should be; write a list like 0-3,8"},
        {"0,", ERR_SYNTAX, "CPU list \"0,\": a number is missing at the end; write one like 0-3,8"},
        {"0-", ERR_SYNTAX, "CPU list \"0-\": a number is missing at the end; write one like 0-3,8"},
        {",0", ERR_SYNTAX,
         "CPU list \",0\": ',' at character 1 where a number should be; write a list like 0-3,8"},
        {" 0", ERR_SYNTAX,
         "CPU list \" 0\": ' ' at character 1 where a number should be; write a list like 0-3,8"},
        {"0 1", ERR_SYNTAX,
         "CPU list \"0 1\": ' ' at character 2 where a comma or the end should be; write a list "
         "like 0-3,8"},
        {"0-1-2", ERR_SYNTAX,
         "CPU list \"0-1-2\": '-' at character 4 where a comma or the end should be; write a list "
         "like 0-3,8"},
        {"-1", ERR_SYNTAX,
         "CPU list \"-1\": '-' at character 1 where a number should be; write a list like 0-3,8"},
        {"8192", ERR_RANGE, "CPU list \"8192\": CPU numbers are from 0 to 8191"},
        {"0-8192", ERR_RANGE, "CPU list \"0-8192\": CPU numbers are from 0 to 8191"},
        {"999999999999", ERR_RANGE, "CPU list \"999999999999\": CPU numbers are from 0 to 8191"},
        {"0x1", ERR_SYNTAX,
         "CPU list \"0x1\": 'x' at character 2 where a comma or the end should be; write a list "
         "like 0-3,8"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct diag diag = {0};
        struct cpu_set set = set_of("1");
        assert_int_equal(cpu_set_parse(cases[i].text, &set, &diag), cases[i].status);
        assert_string_equal(diag.message, cases[i].message);
        assert_set(&set, "1");
    }
}

static void masks(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int status;
        const char *list;
    } cases[] = {
        {"3", 0, "0-1"},         {"00000000,0000010f\n", 0, "0-3,8"},
        {"1,00000000", 0, "32"}, {"80000000,00000000,00000001\n", 0, "0,95"},
        {"F0", 0, "4-7"},        {"0", 0, ""},
        {"", ERR_SYNTAX, ""},    {"\n", ERR_SYNTAX, ""},
        {"xyz", ERR_SYNTAX, ""}, {"1 1", ERR_SYNTAX, ""},
        {"0x1", ERR_SYNTAX, ""},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct cpu_set set = {0};
        assert_int_equal(cpu_set_parse_mask(cases[i].text, &set), cases[i].status);
        assert_set(&set, cases[i].list);
    }
    char large[CPU_SET_LIMIT / 4 + 2];
    memset(large, '0', sizeof(large));
    large[sizeof(large) - 1] = '\0';
    large[0] = '1';
    struct cpu_set set = {0};
    assert_int_equal(cpu_set_parse_mask(large, &set), ERR_RANGE);
    large[0] = '0';
    large[1] = '8';
    assert_int_equal(cpu_set_parse_mask(large, &set), 0);
    assert_set(&set, "8191");
}

static void every_second_cpu_fits_the_text(void **state)
{
    (void)state;
    struct cpu_set set = {0};
    for (int cpu = 0; cpu < CPU_SET_LIMIT; cpu += 2) {
        cpu_set_add(&set, cpu);
    }
    char text[CPU_SET_TEXT_SIZE];
    size_t length = cpu_set_format(&set, text, sizeof(text));
    assert_true(length < sizeof(text));
    struct cpu_set back = set_of(text);
    assert_true(cpu_set_equal(&set, &back));
}

static void short_buffers_are_filled_not_overrun(void **state)
{
    (void)state;
    struct cpu_set set = set_of("0-3,8");
    char text[4] = "zzz";
    assert_int_equal(cpu_set_format(&set, text, sizeof(text)), 5);
    assert_string_equal(text, "0-3");
    assert_int_equal(cpu_set_format(&set, NULL, 0), 5);
}

static void algebra(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b, *both, *either, *only_a;
        bool within, overlap;
    } cases[] = {
        {"0-3", "2-5", "2-3", "0-5", "0-1", false, true},
        {"1", "0-3", "1", "0-3", "", true, true},
        {"0", "1", "", "0-1", "0", false, false},
        {"", "1", "", "1", "", true, false},
        {"64,8191", "8191", "8191", "64,8191", "64", false, true},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct cpu_set a = set_of(cases[i].a);
        struct cpu_set b = set_of(cases[i].b);
        struct cpu_set result = a;
        cpu_set_intersect(&result, &b);
        assert_set(&result, cases[i].both);
        result = a;
        cpu_set_unite(&result, &b);
        assert_set(&result, cases[i].either);
        result = a;
        cpu_set_subtract(&result, &b);
        assert_set(&result, cases[i].only_a);
        assert_int_equal(cpu_set_within(&a, &b), cases[i].within);
        assert_int_equal(cpu_set_overlap(&a, &b), cases[i].overlap);
    }
}

static void members(void **state)
{
    (void)state;
    struct cpu_set set = set_of("0,63-64,8191");
    static const int expected[] = {0, 63, 64, 8191};
    size_t i = 0;
    for (int cpu = cpu_set_next(&set, -1); cpu >= 0; cpu = cpu_set_next(&set, cpu)) {
        assert_true(i < ARRAY_LENGTH(expected));
        assert_int_equal(cpu, expected[i++]);
    }
    assert_int_equal(i, ARRAY_LENGTH(expected));
    assert_true(cpu_set_has(&set, 63));
    cpu_set_remove(&set, 63);
    assert_false(cpu_set_has(&set, 63));
    assert_set(&set, "0,64,8191");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists),
        cmocka_unit_test(bad_lists),
        cmocka_unit_test(masks),
        cmocka_unit_test(every_second_cpu_fits_the_text),
        cmocka_unit_test(short_buffers_are_filled_not_overrun),
        cmocka_unit_test(algebra),
        cmocka_unit_test(members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
