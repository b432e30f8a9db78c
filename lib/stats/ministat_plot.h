/* The ASCII plot of ministat(1): values stacked as symbols, bars of mean and deviation below. */
#ifndef STATS_MINISTAT_PLOT_H
#define STATS_MINISTAT_PLOT_H

#include <stddef.h>
#include <stdio.h>

#include "core/attributes.h"
#include "stats/ministat.h"
#include "stats/sample.h"

/* Sample number i (from 0) has the symbol at i + 1. Samples that meet in one place of the plot
 * show the symbol at the bitwise or of their numbers from 1, as ministat has it. */
#define MINISTAT_SYMBOLS " x+*%#@O"

/* The same conditions as ministat_print()'s. 0 or ERR_MEMORY. */
int ministat_plot_print(const struct ministat_options *options, const struct sample *samples,
                        size_t count, FILE *out) MUST_CHECK NONNULL_ALL;

#endif
