#include "stats/histogram.h"

#include <math.h>

#include "core/check.h"

/*
 * Values below 128 have a bucket each. A greater one with its highest bit at place e goes, with the
 * seven bits below that one, into group e - 6 of 128 buckets, each 2^(e-7) wide.
 */
static unsigned bucket_of(uint64_t value)
{
    if (value < HISTOGRAM_SUB_BUCKETS) {
        return (unsigned)value;
    }
    unsigned shift = 63u - (unsigned)__builtin_clzll(value) - HISTOGRAM_SUB_BITS;
    unsigned below_highest = (unsigned)(value >> shift) - HISTOGRAM_SUB_BUCKETS;
    return ((shift + 1) << HISTOGRAM_SUB_BITS) + below_highest;
}

/* The middle of a bucket. */
static double value_of(unsigned bucket)
{
    if (bucket < HISTOGRAM_SUB_BUCKETS) {
        return bucket;
    }
    unsigned shift = (bucket >> HISTOGRAM_SUB_BITS) - 1;
    double low = ldexp(HISTOGRAM_SUB_BUCKETS + bucket % HISTOGRAM_SUB_BUCKETS, (int)shift);
    return low + (ldexp(1, (int)shift) - 1) / 2;
}

void histogram_record(struct histogram *histogram, uint64_t value)
{
    if (histogram->count == 0 || value < histogram->min) {
        histogram->min = value;
    }
    if (value > histogram->max) {
        histogram->max = value;
    }
    histogram->count++;
    histogram->sum += (double)value;
    histogram->sum_of_squares += (double)value * (double)value;
    histogram->buckets[bucket_of(value)]++;
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
    if (from->count == 0) {
        return;
    }
    if (into->count == 0 || from->min < into->min) {
        into->min = from->min;
    }
    if (from->max > into->max) {
        into->max = from->max;
    }
    into->count += from->count;
    into->sum += from->sum;
    into->sum_of_squares += from->sum_of_squares;
    for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
        into->buckets[i] += from->buckets[i];
    }
}

/* The bucket of the value of that rank, counted from 1. */
static unsigned bucket_of_rank(const struct histogram *histogram, uint64_t rank)
{
    uint64_t passed = 0;
    unsigned bucket = 0;
    for (; bucket < HISTOGRAM_BUCKETS; bucket++) {
        passed += histogram->buckets[bucket];
        if (passed >= rank) {
            break;
        }
    }
    CHECK(bucket < HISTOGRAM_BUCKETS);
    return bucket;
}

double histogram_quantile(const struct histogram *histogram, double fraction)
{
    CHECK(fraction >= 0 && fraction <= 1);
    if (histogram->count == 0) {
        return 0;
    }
    uint64_t rank = (uint64_t)ceil(fraction * (double)histogram->count);
    if (rank < 1) {
        rank = 1;
    }
    if (rank > histogram->count) {
        rank = histogram->count;
    }
    double value = value_of(bucket_of_rank(histogram, rank));
    return fmin(fmax(value, (double)histogram->min), (double)histogram->max);
}

double histogram_mean(const struct histogram *histogram)
{
    return histogram->count == 0 ? 0 : histogram->sum / (double)histogram->count;
}

double histogram_stddev(const struct histogram *histogram)
{
    if (histogram->count < 2) {
        return 0;
    }
    double count = (double)histogram->count;
    double variance =
        (histogram->sum_of_squares - histogram->sum * histogram->sum / count) / (count - 1);
    return variance > 0 ? sqrt(variance) : 0;
}
