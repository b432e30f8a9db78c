#include "stats/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "stats/student.h"

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Two passes: the one-pass formula loses all digits when the mean is large beside the spread. */
static double variance_about(double mean, const double *values, size_t n)
{
    double squares = 0;
    for (size_t i = 0; i < n; i++) {
        squares += (values[i] - mean) * (values[i] - mean);
    }
    return n > 1 ? squares / (double)(n - 1) : 0;
}

/*
 * The sum in the order measured, as ministat adds: another order can change the last digit. Equal
 * values are their own mean, which the sum of 0.1s misses: nothing but rounding would then be a
 * spread, and a difference to the same values of another number.
 */
static double mean_of(const double *values, const double *sorted, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += values[i];
    }
    return sorted[0] == sorted[n - 1] ? sorted[0] : sum / (double)n;
}

static struct summary summarise(const double *values, const double *sorted, size_t n)
{
    struct summary summary = {
        .min = sorted[0],
        .max = sorted[n - 1],
        .median = sorted[n / 2],
        .mean = mean_of(values, sorted, n),
    };
    summary.variance = variance_about(summary.mean, values, n);
    summary.stddev = sqrt(summary.variance);
    return summary;
}

int sample_init(struct sample *sample, const char *name, const double *values, size_t n)
{
    CHECK(n > 0);
    *sample = (struct sample){.name = name, .values = values, .n = n};
    sample->sorted = malloc(n * sizeof(*sample->sorted));
    if (sample->sorted == NULL) {
        return ERR_MEMORY;
    }
    memcpy(sample->sorted, values, n * sizeof(*values));
    qsort(sample->sorted, n, sizeof(*sample->sorted), compare_doubles);
    sample->summary = summarise(values, sample->sorted, n);
    return 0;
}

void sample_free(struct sample *sample)
{
    free(sample->sorted);
    *sample = (struct sample){0};
}

double sample_mean_half_width(const struct sample *sample)
{
    if (sample->n < 2) {
        return 0;
    }
    double t = student_two_sided_quantile(0.95, (unsigned)(sample->n - 1));
    return t * sample->summary.stddev / sqrt((double)sample->n);
}
