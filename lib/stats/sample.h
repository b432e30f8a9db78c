/*
 * A named sample: the values of one setup in the order they were measured, and what is said about
 * it. Pure; a finished sample may be read by any thread.
 */
#ifndef STATS_SAMPLE_H
#define STATS_SAMPLE_H

#include <stddef.h>

#include "core/attributes.h"

struct summary {
    double min;
    double max;
    double median; /* of an even number of values the upper of the two in the middle, as ministat */
    double mean;
    double variance; /* about the mean, divided by n - 1; 0 when n is 1 */
    double stddev;
};

struct sample {
    const char *name;
    const double *values; /* n of them, finite; the caller's, and must outlive the sample */
    size_t n;
    double *sorted; /* the same, ascending */
    struct summary summary;
};

/*
 * Fills `sample`; `name` and `values` are borrowed. n must be at least 1. 0 and the caller frees
 * with sample_free(), or ERR_MEMORY.
 */
int sample_init(struct sample *sample, const char *name, const double *values,
                size_t n) MUST_CHECK NONNULL_ALL;

void sample_free(struct sample *sample);

/* Half the width of the 95% interval around the mean, by Student's t; 0 for one value, of which
 * nothing is known. */
double sample_mean_half_width(const struct sample *sample) NONNULL_ALL;

#endif
