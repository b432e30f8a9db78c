/*
 * Two samples compared by Student's t as ministat does it, and what that means in plain words.
 * Pure; any thread.
 */
#ifndef STATS_COMPARISON_H
#define STATS_COMPARISON_H

#include <stdbool.h>
#include <stdio.h>

#include "core/attributes.h"
#include "stats/sample.h"

/* The six levels that ministat offers. */
enum confidence {
    CONFIDENCE_80,
    CONFIDENCE_90,
    CONFIDENCE_95,
    CONFIDENCE_98,
    CONFIDENCE_99,
    CONFIDENCE_99_5,
};

/* "95", "99.5", also "95%" -> the level. 0, or ERR_RANGE when ministat has no such level. */
int confidence_parse(const char *text, enum confidence *confidence) MUST_CHECK NONNULL_ALL;

/* In per cent: 95.0. */
double confidence_percent(enum confidence confidence);

/* The factor t of a two-sided interval, to the three decimals of ministat's table (comparison.c
 * says where that table departs from the distribution). dof must be at least 1. */
double confidence_student_t(enum confidence confidence, size_t dof);

struct comparison {
    size_t base_n; /* values in either sample */
    size_t other_n;
    double confidence_percent;
    double difference; /* mean of `other` minus mean of `base` */
    double half_width; /* of the interval around `difference` */
    double pooled_stddev;
    bool is_difference; /* the interval leaves out zero */
    /* The same in per cent of the base's mean, ministat's way: the error of the base's own mean is
     * not in it. Meaningless when that mean is 0 or next to it (has_percent is false). */
    bool has_percent;
    double difference_percent;
    double half_width_percent;
    /* The true difference that samples of these sizes and this spread would have shown in 80 of
     * 100 such experiments, in per cent of the base's mean. */
    double detectable_percent;
};

/* Both samples need at least 2 values. */
struct comparison comparison_make(const struct sample *base, const struct sample *other,
                                  enum confidence confidence) NONNULL_ALL;

/* What the two samples are called, and the words for more and less of what they hold. */
struct comparison_words {
    const char *base;
    const char *other;
    const char *more; /* "faster", "higher" */
    const char *less;
    bool is_doubtful; /* warnings tell of another cause that a difference can have */
};

/*
 * One line without a newline: "OTHER is 13.1% faster than BASE (95% interval 9.7% to 16.5%; not a
 * matter of chance)", or that there is one too small to matter, or that no difference was shown and
 * how small a one could have been.
 */
void comparison_print_sentence(const struct comparison *comparison,
                               const struct comparison_words *words, FILE *out) NONNULL_ALL;

#endif
