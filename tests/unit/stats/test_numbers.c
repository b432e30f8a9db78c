/* What is a number and what is passed over: as Debian's ministat 20150715 was seen to read. */
#include "../unit.h"

#include <string.h>

#include "core/attributes.h"
#include "core/error.h"
#include "stats/numbers.h"

struct good_case {
    const char *text;
    struct numbers_format format;
    double values[4];
    size_t count;
};

static const struct good_case good_cases[] = {
    {"1\n2\n3\n", {1, " \t"}, {1, 2, 3}, 3},
    {"1\n2\n3", {1, " \t"}, {1, 2, 3}, 3},
    {"1\r\n2\r\n3 \t\r\n", {1, " \t"}, {1, 2, 3}, 3},
    {"# qps\n\n1\n #2\n 3 # c\n", {1, " \t"}, {1, 3}, 2},
    {"+5\n-6e3\n.5\n5.", {1, " \t"}, {5, -6000, 0.5, 5}, 4},
    {"a 5\nb\nc  7 x\n# 9\n", {2, " \t"}, {5, 7}, 2},
    {",5\n1,,6\n3,7\n5", {2, ","}, {6, 7}, 2},
    {"1;2\n", {2, ";"}, {2}, 1},
    {"", {1, " \t"}, {0}, 0},
    {"1 #5\n1 6", {2, " \t"}, {6}, 1},
};

static void numbers_are_read_as_ministat_reads_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(good_cases); i++) {
        const struct good_case *test = &good_cases[i];
        struct numbers numbers;
        struct diag diag = {0};
        assert_int_equal(
            numbers_parse(test->text, strlen(test->text), &test->format, "f", &numbers, &diag), 0);
        assert_int_equal(numbers.count, test->count);
        for (size_t n = 0; n < test->count; n++) {
            assert_float_equal(numbers.values[n], test->values[n], 0);
        }
        numbers_free(&numbers);
    }
}

struct bad_case {
    const char *text;
    int status;
    const char *message;
};

static const struct bad_case bad_cases[] = {
    {"qps\n1\n2\n3\n", ERR_SYNTAX,
     "f:1: \"qps\" is not a number; one number a line is right, # begins a comment"},
    {"1\n2\n3,5\n", ERR_SYNTAX, "f:3: \"3,5\" has a decimal comma; write a decimal point"},
    {"1\n-9531,2955\n", ERR_SYNTAX,
     "f:2: \"-9531,2955\" has a decimal comma; write a decimal point"},
    {"1\nnan\n", ERR_RANGE, "f:2: \"nan\" cannot be compared; a number of at most 1e+100 is right"},
    {"-inf\n", ERR_RANGE, "f:1: \"-inf\" cannot be compared; a number of at most 1e+100 is right"},
    {"1e400\n", ERR_RANGE,
     "f:1: \"1e400\" cannot be compared; a number of at most 1e+100 is right"},
    {"1\n\n0x10\n", ERR_SYNTAX,
     "f:3: \"0x10\" is not a number; one number a line is right, # begins a comment"},
    {"12qps\n", ERR_SYNTAX,
     "f:1: \"12qps\" is not a number; one number a line is right, # begins a comment"},
    {"\xef\xbb\xbf"
     "1\n",
     ERR_SYNTAX, "f:1: the file begins with a byte-order mark; save it without one"},
    {"1\n\x1b[2J\n", ERR_SYNTAX,
     "f:2: \"?[2J\" is not a number; one number a line is right, # begins a comment"},
};

static void what_is_no_number_is_named_with_its_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(bad_cases); i++) {
        struct numbers numbers;
        struct diag diag = {0};
        int status = numbers_parse(bad_cases[i].text, strlen(bad_cases[i].text),
                                   &numbers_default_format, "f", &numbers, &diag);
        assert_int_equal(status, bad_cases[i].status);
        assert_string_equal(diag.message, bad_cases[i].message);
    }
}

static void a_nul_is_no_end_of_the_text(void **state)
{
    (void)state;
    struct numbers numbers;
    struct diag diag = {0};
    assert_int_equal(numbers_parse("1\n2\0\n3", 6, &numbers_default_format, "f", &numbers, &diag),
                     ERR_SYNTAX);
}

static void a_long_field_is_an_error_not_a_shorter_number(void **state)
{
    (void)state;
    char text[200];
    memset(text, '1', sizeof(text));
    struct numbers numbers;
    struct diag diag = {0};
    assert_int_equal(
        numbers_parse(text, sizeof(text), &numbers_default_format, "f", &numbers, &diag),
        ERR_SYNTAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_read_as_ministat_reads_them),
        cmocka_unit_test(what_is_no_number_is_named_with_its_line),
        cmocka_unit_test(a_nul_is_no_end_of_the_text),
        cmocka_unit_test(a_long_field_is_an_error_not_a_shorter_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
