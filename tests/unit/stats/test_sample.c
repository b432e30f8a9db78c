#include "../unit.h"

#include <math.h>

#include "core/attributes.h"
#include "stats/sample.h"

struct summary_case {
    const double *values;
    size_t n;
    struct summary expected;
};

/* The first is the example of ministat's manual; the others are calculated by hand. */
static const double iguana[] = {50, 200, 150, 400, 750, 400, 150};
static const double even[] = {4, 1, 3, 2};
static const double one[] = {-7};
static const double offset[] = {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16};

static const struct summary_case cases[] = {
    {iguana, 7, {.min = 50, .max = 750, .median = 200, .mean = 300, .stddev = 238.04761}},
    {even, 4, {.min = 1, .max = 4, .median = 3, .mean = 2.5, .stddev = 1.29099445}},
    {one, 1, {.min = -7, .max = -7, .median = -7, .mean = -7, .stddev = 0}},
    {offset,
     4,
     {.min = 1e9 + 4, .max = 1e9 + 16, .median = 1e9 + 13, .mean = 1e9 + 10, .stddev = 5.47722558}},
};

static void summaries_are_right(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct sample sample;
        assert_int_equal(sample_init(&sample, "name", cases[i].values, cases[i].n), 0);
        const struct summary *expected = &cases[i].expected;
        assert_float_equal(sample.summary.min, expected->min, 0);
        assert_float_equal(sample.summary.max, expected->max, 0);
        assert_float_equal(sample.summary.median, expected->median, 0);
        assert_float_equal(sample.summary.mean, expected->mean, 0);
        assert_float_equal(sample.summary.stddev, expected->stddev, 1e-5);
        assert_float_equal(sample.summary.variance, expected->stddev * expected->stddev, 1e-2);
        sample_free(&sample);
    }
}

static void order_of_measurement_is_kept_beside_the_sorted_one(void **state)
{
    (void)state;
    struct sample sample;
    assert_int_equal(sample_init(&sample, "iguana", iguana, 7), 0);
    assert_ptr_equal(sample.values, iguana);
    for (size_t i = 1; i < sample.n; i++) {
        assert_true(sample.sorted[i - 1] <= sample.sorted[i]);
    }
    assert_string_equal(sample.name, "iguana");
    sample_free(&sample);
}

/* Whatever the value and their number: no spread at all, not even one of rounding. */
static void equal_values_have_no_spread(void **state)
{
    (void)state;
    static const double equal[] = {0.1, 17.9, -7.1, 102867.34, -7.4550108e-13, 1e100, 0, 1.0 / 3};
    double values[60];
    for (size_t i = 0; i < ARRAY_LENGTH(equal); i++) {
        for (size_t n = 1; n <= ARRAY_LENGTH(values); n++) {
            struct sample sample;
            values[n - 1] = equal[i];
            assert_int_equal(sample_init(&sample, "equal", values, n), 0);
            assert_true(sample.summary.mean == equal[i]);
            assert_true(sample.summary.stddev == 0);
            sample_free(&sample);
        }
    }
}

/* n = 7: t of 6 degrees of freedom is 2.447; 2.447 * 238.04761 / sqrt(7) = 220.2. */
static void interval_of_the_mean_is_by_student(void **state)
{
    (void)state;
    struct sample sample;
    assert_int_equal(sample_init(&sample, "iguana", iguana, 7), 0);
    assert_float_equal(sample_mean_half_width(&sample), 220.2, 0.05);
    sample_free(&sample);
    assert_int_equal(sample_init(&sample, "one", one, 1), 0);
    assert_float_equal(sample_mean_half_width(&sample), 0, 0);
    sample_free(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(summaries_are_right),
        cmocka_unit_test(order_of_measurement_is_kept_beside_the_sorted_one),
        cmocka_unit_test(equal_values_have_no_spread),
        cmocka_unit_test(interval_of_the_mean_is_by_student),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
