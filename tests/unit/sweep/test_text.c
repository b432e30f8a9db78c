/* The small texts: durations, and the load tool's interval lines. */
#include "../unit.h"

#include <string.h>

#include "core/attributes.h"
#include "sweep/dry_run.h"
#include "sweep/load_log.h"

static void formats_durations(void **state)
{
    (void)state;
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {
        {0, "0 s"},         {0.4, "0 s"},          {59.4, "59 s"},      {59.5, "1 min 0 s"},
        {125, "2 min 5 s"}, {3599, "59 min 59 s"}, {3600, "1 h 0 min"}, {7322, "2 h 2 min"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        char text[DURATION_TEXT_SIZE];
        duration_format(cases[i].seconds, text);
        assert_string_equal(text, cases[i].text);
    }
}

static void finds_the_last_rate(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double rate;
    } cases[] = {
        {"", -1},
        {"[Status] Sending queries (to 127.0.0.1:53)\n", -1},
        {"[  0]    0.00-1.00    sec      40238 queries     40238.00 qps (omitted)\n", 40238},
        {"[  0]    0.00-1.00    sec      1 queries     1.00 qps\n"
         "[  1]    0.00-1.00    sec      2 queries     2.00 qps\n"
         "[SUM]    0.00-1.00    sec      3 queries     3.50 qps\n",
         3.5},
        {"[  0]    0.00-1.00    sec      1 queries     1.00 qps\n[  0]    1.00-2.00  sec  7 que",
         1},
        {"1700000000.0: 77.0\n", -1},
        {"[  0] 0.00-1.00 sec 1 queries nan qps\n", -1},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        double rate = load_log_parse_rate(cases[i].text, strlen(cases[i].text));
        assert_true(rate == cases[i].rate);
    }
    assert_true(load_log_rate("/nonexistent/log") == -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_durations),
        cmocka_unit_test(finds_the_last_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
