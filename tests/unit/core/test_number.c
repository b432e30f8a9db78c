#include "../unit.h"

#include "core/attributes.h"
#include "core/error.h"
#include "core/number.h"

static void whole_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t min, max;
        int status;
        uint64_t value;
    } cases[] = {
        {"0", 0, 10, 0, 0},
        {"10", 0, 10, 0, 10},
        {"007", 0, 10, 0, 7},
        {"11", 0, 10, ERR_RANGE, 0},
        {"2", 3, 10, ERR_RANGE, 0},
        {"18446744073709551615", 0, UINT64_MAX, 0, UINT64_MAX},
        {"18446744073709551616", 0, UINT64_MAX, ERR_RANGE, 0},
        {"999999999999999999999999", 0, UINT64_MAX, ERR_RANGE, 0},
        {"", 0, 10, ERR_SYNTAX, 0},
        {"-1", 0, 10, ERR_SYNTAX, 0},
        {"+1", 0, 10, ERR_SYNTAX, 0},
        {" 1", 0, 10, ERR_SYNTAX, 0},
        {"1 ", 0, 10, ERR_SYNTAX, 0},
        {"0x1", 0, 10, ERR_SYNTAX, 0},
        {"1e3", 0, 10000, ERR_SYNTAX, 0},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        uint64_t value = 0;
        assert_int_equal(number_parse_u64(cases[i].text, cases[i].min, cases[i].max, &value),
                         cases[i].status);
        assert_int_equal(value, cases[i].value);
    }
}

static void decimals(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int status;
        double value;
    } cases[] = {
        {"5", 0, 5},
        {"0.5", 0, 0.5},
        {".25", 0, 0.25},
        {"3.", 0, 3},
        {"0.000000000000000000000000000001", 0, 0},
        {"1000.5", ERR_RANGE, 0},
        {".", ERR_SYNTAX, 0},
        {"", ERR_SYNTAX, 0},
        {"1,5", ERR_SYNTAX, 0},
        {"1.2.3", ERR_SYNTAX, 0},
        {"nan", ERR_SYNTAX, 0},
        {"inf", ERR_SYNTAX, 0},
        {"-1", ERR_SYNTAX, 0},
        {"1e3", ERR_SYNTAX, 0},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        double value = 0;
        assert_int_equal(number_parse_decimal(cases[i].text, 0, 1000, &value), cases[i].status);
        assert_true(value - cases[i].value < 1e-12 && cases[i].value - value < 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_numbers),
        cmocka_unit_test(decimals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
