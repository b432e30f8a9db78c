/*
 * The output of ministat(1), to the last character: FreeBSD's tool as Debian ships it, version
 * 20150715. For the same finite values the text is the same (tests/system/compare.bats compares
 * with the real one); where that tool crashes (nan, inf, a width of 1) these functions are not
 * called. Its percentages are those of 2004; FreeBSD changed the formula in 2016.
 */
#ifndef STATS_MINISTAT_H
#define STATS_MINISTAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/attributes.h"
#include "stats/comparison.h"
#include "stats/sample.h"

#define MINISTAT_SAMPLES_MAX   7
#define MINISTAT_VALUES_MIN    3
#define MINISTAT_WIDTH_MIN     2
#define MINISTAT_WIDTH_MAX     10000
#define MINISTAT_WIDTH_DEFAULT 74

struct ministat_options {
    bool without_plot;        /* -A */
    bool without_comparisons; /* -n: nor the plot */
    bool separate_bars;       /* -s */
    unsigned width;           /* -w, in characters between the frame's sides */
    enum confidence confidence;
};

/* What ministat does without options. */
extern const struct ministat_options ministat_default_options;

/*
 * Prints on `out` the names, the plot, the table, and every sample compared with the first.
 * 1 to MINISTAT_SAMPLES_MAX samples of at least MINISTAT_VALUES_MIN values; the width between its
 * limits. 0 or ERR_MEMORY; errors of `out` are the caller's to look for.
 */
int ministat_print(const struct ministat_options *options, const struct sample *samples,
                   size_t count, FILE *out) MUST_CHECK NONNULL_ALL;

/* The character that marks sample number `index` (0 is the first) in plot and table. */
char ministat_symbol(size_t index);

#endif
