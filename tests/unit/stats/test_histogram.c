#include "../unit.h"

#include <math.h>
#include <stdlib.h>

#include "core/attributes.h"
#include "stats/histogram.h"

/* 59 kB, too much for some stacks. */
static struct histogram *new_histogram(void)
{
    struct histogram *histogram = calloc(1, sizeof(*histogram));
    assert_non_null(histogram);
    return histogram;
}

static void assert_near(double found, double expected, double tolerance)
{
    assert_true(fabs(found - expected) <= tolerance);
}

static void an_empty_one_is_all_zero(void **state)
{
    (void)state;
    struct histogram *histogram = new_histogram();
    assert_near(histogram_mean(histogram), 0, 0);
    assert_near(histogram_stddev(histogram), 0, 0);
    assert_near(histogram_quantile(histogram, 0.5), 0, 0);
    free(histogram);
}

/* 2, 4, 4, 4, 5, 5, 7, 9: mean 5, sum of squared differences 32, 32 / 7 = 4.571428. */
static void small_values_are_exact(void **state)
{
    (void)state;
    static const uint64_t values[] = {9, 2, 4, 5, 4, 7, 5, 4};
    struct histogram *histogram = new_histogram();
    for (size_t i = 0; i < ARRAY_LENGTH(values); i++) {
        histogram_record(histogram, values[i]);
    }
    assert_int_equal(histogram->count, 8);
    assert_int_equal(histogram->min, 2);
    assert_int_equal(histogram->max, 9);
    assert_near(histogram_mean(histogram), 5, 1e-12);
    assert_near(histogram_stddev(histogram), sqrt(32.0 / 7), 1e-12);
    /* Nearest rank: of 8 values the 50% quantile is the 4th, 75% the 6th, 76% the 7th. */
    assert_near(histogram_quantile(histogram, 0), 2, 0);
    assert_near(histogram_quantile(histogram, 0.5), 4, 0);
    assert_near(histogram_quantile(histogram, 0.75), 5, 0);
    assert_near(histogram_quantile(histogram, 0.76), 7, 0);
    assert_near(histogram_quantile(histogram, 1), 9, 0);
    free(histogram);
}

static void values_read_back_within_one_percent(void **state)
{
    (void)state;
    /* Around the edges of buckets and powers of two, and the greatest of all. */
    static const uint64_t values[] = {
        127,        128,  129,    255,     256,       257,           1000,
        4095,       4096, 123456, 1000000, 999999999, 5000000000ull, (1ull << 63) - 1,
        UINT64_MAX,
    };
    struct histogram *histogram = new_histogram();
    for (size_t i = 0; i < ARRAY_LENGTH(values); i++) {
        histogram_record(histogram, values[i]);
        histogram_record(histogram, 0); /* so that neither end is the value itself */
        histogram_record(histogram, UINT64_MAX);
    }
    for (size_t i = 0; i < ARRAY_LENGTH(values); i++) {
        double fraction = ((double)(ARRAY_LENGTH(values) + i) + 0.5) / (3 * ARRAY_LENGTH(values));
        double expected = (double)values[i];
        assert_near(histogram_quantile(histogram, fraction), expected, 0.01 * expected);
    }
    free(histogram);
}

static void merging_is_recording_both(void **state)
{
    (void)state;
    struct histogram *all = new_histogram();
    struct histogram *parts[2] = {new_histogram(), new_histogram()};
    for (uint64_t value = 1; value <= 1000; value++) {
        histogram_record(all, value * 1000);
        histogram_record(parts[value % 2], value * 1000);
    }
    struct histogram *merged = new_histogram();
    histogram_merge(merged, parts[0]);
    histogram_merge(merged, parts[1]);
    struct histogram *empty = new_histogram();
    histogram_merge(merged, empty);
    assert_int_equal(merged->count, 1000);
    assert_int_equal(merged->min, 1000);
    assert_int_equal(merged->max, 1000000);
    /* 1 to n: mean (n + 1) / 2, sample variance n (n + 1) / 12. */
    assert_near(histogram_mean(merged), 500500, 1e-6);
    assert_near(histogram_stddev(merged), 1000 * sqrt(1000.0 * 1001 / 12), 1e-3);
    assert_memory_equal(merged->buckets, all->buckets, sizeof(all->buckets));
    assert_near(histogram_quantile(merged, 0.99), 990000, 9900);
    free(all);
    free(parts[0]);
    free(parts[1]);
    free(merged);
    free(empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_one_is_all_zero),
        cmocka_unit_test(small_values_are_exact),
        cmocka_unit_test(values_read_back_within_one_percent),
        cmocka_unit_test(merging_is_recording_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
