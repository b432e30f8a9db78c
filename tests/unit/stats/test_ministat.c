/*
 * Texts of the real thing: the two tables of the post of 2004, the example of ministat(1), and what
 * Debian's ministat printed for small samples that show its habits. The comparison with the
 * program itself is in tests/system/compare.bats.
 */
#include "../unit.h"

#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"
#include "data_2004.h"
#include "stats/ministat.h"

struct set {
    const char *name;
    const double *values;
    size_t n;
};

#define SET(name, values)                                                                          \
    {                                                                                              \
        name, values, ARRAY_LENGTH(values)                                                         \
    }

static const double iguana[] = {50, 200, 150, 400, 750, 400, 150};
static const double chameleon[] = {150, 400, 720, 500, 930};
static const double equal[] = {5, 5, 5};

struct ministat_case {
    struct ministat_options options;
    struct set sets[3];
    const char *expected;
};

static const struct ministat_case cases[] = {
    {{.width = 74, .confidence = CONFIDENCE_95},
     {SET("process-scope-1-cpu", process_1_cpu), SET("system-scope-1-cpu", system_1_cpu)},
     "x process-scope-1-cpu\n"
     "+ system-scope-1-cpu\n"
     "+--------------------------------------------------------------------------+\n"
     "|x            xx   x  x                               + +   +           + +|\n"
     "|     |_______AM______|                               |_____M__A_________| |\n"
     "+--------------------------------------------------------------------------+\n"
     "    N           Min           Max        Median           Avg        Stddev\n"
     "x   5     9531.2955     10089.776     9895.4739     9876.4389     211.59661\n"
     "+   5     10925.816     11449.187     11082.488     11168.616     244.15478\n"
     "Difference at 95.0% confidence\n"
     "\t1292.18 +/- 333.191\n"
     "\t13.0834% +/- 3.37359%\n"
     "\t(Student's t, pooled s = 228.456)\n"},
    {{.width = 74, .confidence = CONFIDENCE_95},
     {SET("process-scope-2-cpu", process_2_cpu), SET("system-scope-2-cpu", system_2_cpu)},
     "x process-scope-2-cpu\n"
     "+ system-scope-2-cpu\n"
     "+--------------------------------------------------------------------------+\n"
     "|x   x x xx                                                         ++  +++|\n"
     "|  |__AM__|                                                          |_AM_||\n"
     "+--------------------------------------------------------------------------+\n"
     "    N           Min           Max        Median           Avg        Stddev\n"
     "x   5     8319.6891     8558.6617     8476.9996     8463.3126     96.296725\n"
     "+   5     10159.815     10336.033     10284.944      10260.51     74.904761\n"
     "Difference at 95.0% confidence\n"
     "\t1797.2 +/- 125.815\n"
     "\t21.2352% +/- 1.48659%\n"
     "\t(Student's t, pooled s = 86.2664)\n"},
    {{.separate_bars = true, .width = 60, .confidence = CONFIDENCE_80},
     {SET("iguana", iguana), SET("chameleon", chameleon)},
     "x iguana\n"
     "+ chameleon\n"
     "+------------------------------------------------------------+\n"
     "|x      *  x            *      +              + x           +|\n"
     "| |________M______A_______________|                          |\n"
     "|             |________________M__A___________________|      |\n"
     "+------------------------------------------------------------+\n"
     "    N           Min           Max        Median           Avg        Stddev\n"
     "x   7            50           750           200           300     238.04761\n"
     "+   5           150           930           500           540     299.08193\n"
     "Difference at 80.0% confidence\n"
     "\t240 +/- 212.215\n"
     "\t80% +/- 70.7384%\n"
     "\t(Student's t, pooled s = 264.159)\n"},
    {{.width = 60, .confidence = CONFIDENCE_95},
     {SET("iguana", iguana), SET("chameleon", chameleon)},
     "x iguana\n"
     "+ chameleon\n"
     "+------------------------------------------------------------+\n"
     "|x      *  x            *      +              + x           +|\n"
     "| |________M__|___A____________M__A___________________|      |\n"
     "+------------------------------------------------------------+\n"
     "    N           Min           Max        Median           Avg        Stddev\n"
     "x   7            50           750           200           300     238.04761\n"
     "+   5           150           930           500           540     299.08193\n"
     "No difference proven at 95.0% confidence\n"},
    {{.width = 74, .confidence = CONFIDENCE_95},
     {SET("eq", equal), SET("iguana", iguana)}, /* the first sample's stack loses its top */
     "x eq\n"
     "+ iguana\n"
     "+--------------------------------------------------------------------------+\n"
     "|x             +                        +                                  |\n"
     "|x   +         +    +                   +                                 +|\n"
     "|A     |____________M_________A______________________|                     |\n"
     "+--------------------------------------------------------------------------+\n"
     "    N           Min           Max        Median           Avg        Stddev\n"
     "x   3             5             5             5             5             0\n"
     "+   7            50           750           200           300     238.04761\n"
     "No difference proven at 95.0% confidence\n"},
    {{.width = 2, .confidence = CONFIDENCE_95},
     {SET("igu", iguana), SET("cham", chameleon)},
     "x igu\n"
     "+ cham\n"
     "+--+\n"
     "|x+|\n"
     "|*+|\n"
     "|**|\n"
     "||A|\n"
     "+--+\n"
     "    N           Min           Max        Median           Avg        Stddev\n"
     "x   7            50           750           200           300     238.04761\n"
     "+   5           150           930           500           540     299.08193\n"
     "No difference proven at 95.0% confidence\n"},
    {{.width = 74, .confidence = CONFIDENCE_95},
     {SET("eq", equal), SET("eq", equal)},
     "x eq\n"
     "+ eq\n"
     "[no plot, span is zero width]\n"
     "    N           Min           Max        Median           Avg        Stddev\n"
     "x   3             5             5             5             5             0\n"
     "+   3             5             5             5             5             0\n"
     "No difference proven at 95.0% confidence\n"},
    {{.without_comparisons = true, .width = 74},
     {SET("igu", iguana), SET("cham", chameleon)},
     "x igu\n"
     "+ cham\n"
     "    N           Min           Max        Median           Avg        Stddev\n"
     "x   7            50           750           200           300     238.04761\n"
     "+   5           150           930           500           540     299.08193\n"},
    {{.without_plot = true, .width = 74, .confidence = CONFIDENCE_95},
     {SET("igu", iguana), SET("cham", chameleon)},
     "x igu\n"
     "+ cham\n"
     "    N           Min           Max        Median           Avg        Stddev\n"
     "x   7            50           750           200           300     238.04761\n"
     "+   5           150           930           500           540     299.08193\n"
     "No difference proven at 95.0% confidence\n"},
};

static char *text_of(const struct ministat_case *test)
{
    struct sample samples[3];
    size_t count = 0;
    while (count < 3 && test->sets[count].values != NULL) {
        const struct set *set = &test->sets[count];
        assert_int_equal(sample_init(&samples[count], set->name, set->values, set->n), 0);
        count++;
    }
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_int_equal(ministat_print(&test->options, samples, count, out), 0);
    assert_int_equal(fclose(out), 0);
    while (count > 0) {
        sample_free(&samples[--count]);
    }
    return text;
}

static void text_is_that_of_the_real_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        char *text = text_of(&cases[i]);
        assert_string_equal(text, cases[i].expected);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(text_is_that_of_the_real_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
