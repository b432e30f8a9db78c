#include "../unit.h"

#include <string.h>

#include "core/attributes.h"
#include "core/error.h"
#include "dns/zone_generate.h"

static void ranges(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int status;
        int32_t start, stop, step;
    } cases[] = {
        {"0-7", 0, 0, 7, 1},
        {"10-20/5", 0, 10, 20, 5},
        {"3-3", 0, 3, 3, 1},
        {"1-2147483647", 0, 1, 2147483647, 1},
        {"9--10", ERR_SYNTAX, 0, 0, 0},
        {"1-3/", ERR_SYNTAX, 0, 0, 0},
        {"1-3/0", ERR_SYNTAX, 0, 0, 0},
        {"4-3", ERR_SYNTAX, 0, 0, 0},
        {"1-2147483648", ERR_SYNTAX, 0, 0, 0},
        {"-1-3", ERR_SYNTAX, 0, 0, 0},
        {"1", ERR_SYNTAX, 0, 0, 0},
        {"1-2x", ERR_SYNTAX, 0, 0, 0},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct zone_generate_range range = {0, 0, 0};
        assert_int_equal(zone_generate_parse_range(cases[i].text, &range), cases[i].status);
        assert_int_equal(range.start, cases[i].start);
        assert_int_equal(range.stop, cases[i].stop);
        assert_int_equal(range.step, cases[i].step);
    }
}

/* What named-checkzone 9.18 -D prints for the same lines. */
static void expansions(void **state)
{
    (void)state;
    static const struct {
        const char *pattern;
        int32_t value;
        int status;
        const char *line;
    } cases[] = {
        {"host$ A 1.2.3.${1,0,d}", 7, 0, "host7 A 1.2.3.8"},
        {"host$ A 1.2.3.${1}", 10, 0, "host10 A 1.2.3.11"},
        {"${0,3,n} AAAA 2001:db8::${0,4,x}", 1024, 0, "0.0.4 AAAA 2001:db8::0400"},
        {"${-2000,0,n}", 1024, 0, "0.3.c.f.f.f.f.f"},
        {"${0,3,d}-${0,3,o}-${0,2,X}", 10, 0, "010-012-0A"},
        {"$$ \\$", 1, 0, "$ \\$"},
        {"plain", 1, 0, "plain"},
        {"${1,0,dgarbage}", 1, ERR_SYNTAX, NULL},
        {"${1000", 1, ERR_SYNTAX, NULL},
        {"${", 1, ERR_SYNTAX, NULL},
        {"${2147483647}", 1, ERR_RANGE, NULL},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        char line[64];
        assert_int_equal(zone_generate_expand(cases[i].pattern, cases[i].value, line, sizeof(line)),
                         cases[i].status);
        if (cases[i].status == 0) {
            assert_string_equal(line, cases[i].line);
        }
    }
}

static void a_line_that_does_not_fit_is_an_error(void **state)
{
    (void)state;
    char line[8];
    assert_int_equal(zone_generate_expand("1234567", 1, line, sizeof(line)), 0);
    assert_string_equal(line, "1234567");
    assert_int_equal(zone_generate_expand("12345678", 1, line, sizeof(line)), ERR_RANGE);
    assert_int_equal(zone_generate_expand("${0,255,n}", 1, line, sizeof(line)), ERR_RANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges),
        cmocka_unit_test(expansions),
        cmocka_unit_test(a_line_that_does_not_fit_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
