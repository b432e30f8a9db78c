/*
 * Log-linear histogram of durations, in the manner of HdrHistogram: each power of two is cut into
 * 128 buckets, so that a value read back is within 0.4% of the one recorded. Count, sum, least and
 * greatest value are exact. Pure; one writer per histogram, merge when the writers are done.
 * An all-zero histogram is an empty one.
 */
#ifndef STATS_HISTOGRAM_H
#define STATS_HISTOGRAM_H

#include <stdint.h>

#include "core/attributes.h"

#define HISTOGRAM_SUB_BITS    7
#define HISTOGRAM_SUB_BUCKETS (1u << HISTOGRAM_SUB_BITS)
#define HISTOGRAM_BUCKETS     ((64u - HISTOGRAM_SUB_BITS + 1u) * HISTOGRAM_SUB_BUCKETS)

struct histogram {
    uint64_t count;
    uint64_t min, max; /* meaningful while count > 0 */
    double sum;
    double sum_of_squares;
    uint64_t buckets[HISTOGRAM_BUCKETS];
};

void histogram_record(struct histogram *histogram, uint64_t value) NONNULL_ALL;

/* Adds all values of `from` to `into`. */
void histogram_merge(struct histogram *into, const struct histogram *from) NONNULL_ALL;

/*
 * The quantile by nearest rank: the least value that at least `fraction` (0 to 1) of the values do
 * not exceed, within 0.4%; 0 when empty.
 */
double histogram_quantile(const struct histogram *histogram, double fraction) NONNULL_ALL;

/* 0 when empty. */
double histogram_mean(const struct histogram *histogram) NONNULL_ALL;

/* The sample standard deviation (divisor n - 1); 0 with fewer than two values. */
double histogram_stddev(const struct histogram *histogram) NONNULL_ALL;

#endif
