/* Expected figures: the post of 2004, Debian's ministat, and hand calculation. */
#include "../unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"
#include "core/error.h"
#include "data_2004.h"
#include "stats/comparison.h"

struct level_case {
    const char *text;
    int status;
    double percent;
};

static void levels_are_those_of_ministat(void **state)
{
    (void)state;
    static const struct level_case cases[] = {
        {"80", 0, 80},          {"90", 0, 90},          {"95", 0, 95},
        {"95%", 0, 95},         {"98", 0, 98},          {"99", 0, 99},
        {"99.5", 0, 99.5},      {"99.5%", 0, 99.5},     {"", ERR_RANGE, 0},
        {"9", ERR_RANGE, 0},    {"95.0", ERR_RANGE, 0}, {"100", ERR_RANGE, 0},
        {"95%%", ERR_RANGE, 0}, {"-95", ERR_RANGE, 0},  {"0.95", ERR_RANGE, 0},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        enum confidence confidence = CONFIDENCE_80;
        assert_int_equal(confidence_parse(cases[i].text, &confidence), cases[i].status);
        if (cases[i].status == 0) {
            assert_float_equal(confidence_percent(confidence), cases[i].percent, 0);
        }
    }
}

struct t_case {
    enum confidence confidence;
    size_t dof;
    double t;
};

/* Seen in the output of Debian's ministat for samples of known spread. */
static void t_is_that_of_ministat(void **state)
{
    (void)state;
    static const struct t_case cases[] = {
        {CONFIDENCE_95, 8, 2.306},    {CONFIDENCE_95, 4, 2.776},      {CONFIDENCE_80, 10, 1.372},
        {CONFIDENCE_99_5, 6, 5.208},  {CONFIDENCE_99_5, 7, 4.782},    {CONFIDENCE_99_5, 8, 4.499},
        {CONFIDENCE_99_5, 12, 3.929}, {CONFIDENCE_99_5, 13, 3.852},   {CONFIDENCE_95, 100, 1.984},
        {CONFIDENCE_95, 101, 1.960},  {CONFIDENCE_99_5, 5000, 3.090},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        double t = confidence_student_t(cases[i].confidence, cases[i].dof);
        assert_float_equal(t, cases[i].t, 1e-9);
    }
}

static struct comparison compare(const double *base, const double *other, size_t n,
                                 enum confidence confidence, char **sentence)
{
    struct sample samples[2];
    assert_int_equal(sample_init(&samples[0], "BASE", base, n), 0);
    assert_int_equal(sample_init(&samples[1], "OTHER", other, n), 0);
    struct comparison comparison = comparison_make(&samples[0], &samples[1], confidence);
    size_t size = 0;
    FILE *out = open_memstream(sentence, &size);
    assert_non_null(out);
    const struct comparison_words words = {"BASE", "OTHER", "faster", "slower", false};
    comparison_print_sentence(&comparison, &words, out);
    assert_int_equal(fclose(out), 0);
    sample_free(&samples[0]);
    sample_free(&samples[1]);
    return comparison;
}

static void figures_of_2004_come_out(void **state)
{
    (void)state;
    char *sentence = NULL;
    struct comparison one = compare(process_1_cpu, system_1_cpu, 5, CONFIDENCE_95, &sentence);
    assert_true(one.is_difference);
    assert_float_equal(one.difference, 1292.18, 0.005);
    assert_float_equal(one.half_width, 333.191, 0.0005);
    assert_float_equal(one.difference_percent, 13.0834, 0.00005);
    assert_float_equal(one.half_width_percent, 3.37359, 0.000005);
    assert_float_equal(one.pooled_stddev, 228.456, 0.0005);
    assert_string_equal(sentence,
                        "OTHER is 13.1% faster than BASE (95% interval 9.7% to 16.5%; not "
                        "a matter of chance)");
    free(sentence);
    struct comparison two = compare(system_2_cpu, process_2_cpu, 5, CONFIDENCE_95, &sentence);
    assert_float_equal(two.difference, -1797.2, 0.05);
    assert_float_equal(two.half_width, 125.815, 0.0005);
    /* 1797.2 and 125.815 of 10260.51: 17.5157% and 1.2262% */
    assert_string_equal(sentence,
                        "OTHER is 17.5% slower than BASE (95% interval 16.3% to 18.7%; not "
                        "a matter of chance)");
    free(sentence);
}

/* s = 1, n = 3 and 3, so dof 4: t 2.776, t for 80% power 0.941, standard error sqrt(2/3); the
 * mean is 100: (2.776 + 0.941) * 0.81650 = 3.035%. */
static void no_difference_tells_what_could_have_been_seen(void **state)
{
    (void)state;
    static const double base[] = {99, 100, 101};
    static const double other[] = {100, 101, 102};
    char *sentence = NULL;
    struct comparison comparison = compare(base, other, 3, CONFIDENCE_95, &sentence);
    assert_false(comparison.is_difference);
    assert_float_equal(comparison.detectable_percent, 3.035, 0.001);
    assert_string_equal(sentence,
                        "no difference shown between BASE and OTHER (95% interval -1.3% to +3.3%); "
                        "3 runs each could have shown about 3.0%");
    free(sentence);
}

static void mean_of_zero_has_no_per_cent(void **state)
{
    (void)state;
    static const double base[] = {-1, 0, 1};
    static const double other[] = {101, 102, 103};
    char *sentence = NULL;
    struct comparison comparison = compare(base, other, 3, CONFIDENCE_95, &sentence);
    assert_false(comparison.has_percent);
    assert_string_equal(sentence,
                        "OTHER is faster than BASE by 102 +/- 2.26659 (95% confidence; not "
                        "a matter of chance)");
    free(sentence);
}

/* s = 1, n = 3: half-width 2.26659 as above; of means of 1000 that is 0.2267%. */
static void small_differences_do_not_matter(void **state)
{
    (void)state;
    static const double base[] = {999, 1000, 1001};
    static const double other[] = {1004, 1005, 1006};
    static const double more[] = {1009, 1010, 1011};
    char *sentence = NULL;
    assert_true(compare(base, other, 3, CONFIDENCE_95, &sentence).is_difference);
    assert_string_equal(sentence, "no difference that matters between BASE and OTHER (+0.50%, 95% "
                                  "interval +0.27% to +0.73%)");
    free(sentence);
    compare(base, more, 3, CONFIDENCE_95, &sentence);
    assert_non_null(strstr(sentence, "OTHER is 1.0% faster than BASE"));
    free(sentence);
}

static void a_mean_next_to_zero_has_no_per_cent(void **state)
{
    (void)state;
    static const double base[] = {-1, 0, 1.0000000001};
    static const double tiny[] = {1e-300, 1e-300, 1e-300};
    static const double other[] = {101, 102, 103};
    static const double near[] = {-1, 0, 1};
    const double *const bases[] = {base, tiny};
    char *sentence = NULL;
    for (size_t i = 0; i < ARRAY_LENGTH(bases); i++) {
        struct comparison comparison = compare(bases[i], other, 3, CONFIDENCE_95, &sentence);
        assert_false(comparison.has_percent);
        assert_non_null(strstr(sentence, "OTHER is faster than BASE by 102 +/- "));
        free(sentence);
    }
    compare(base, near, 3, CONFIDENCE_95, &sentence);
    assert_non_null(strstr(sentence, "+/- 2.26659, 95% confidence)"));
    assert_null(strstr(sentence, "inf"));
    free(sentence);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_are_those_of_ministat),
        cmocka_unit_test(t_is_that_of_ministat),
        cmocka_unit_test(figures_of_2004_come_out),
        cmocka_unit_test(no_difference_tells_what_could_have_been_seen),
        cmocka_unit_test(mean_of_zero_has_no_per_cent),
        cmocka_unit_test(small_differences_do_not_matter),
        cmocka_unit_test(a_mean_next_to_zero_has_no_per_cent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
