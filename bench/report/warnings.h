/*
 * What makes the figures of some setups doubtful: the flags of their runs, a wide spread, an order
 * that lets drift look like a difference. Pure over the results.
 */
#ifndef REPORT_WARNINGS_H
#define REPORT_WARNINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "report/results.h"
#include "system/text_list.h"

/* The names of all flags in the runs of a setup, each once, appended to `names`. */
void warnings_flags(const struct results *results, const struct setup_results *setup,
                    struct text_list *names);

/* How many runs of the setup have that flag. */
size_t warnings_runs_with_flag(const struct results *results, const struct setup_results *setup,
                               const char *flag);

/* Whether a difference of the two can have another cause than the setups: the load tool was the
 * limit, or the runs were not interleaved as far as is known. */
bool warnings_make_doubtful(const struct results *results, const struct setup_results *base,
                            const struct setup_results *other);

/*
 * Appends one text for each flag that runs of these setups have, one for the setups that spread
 * widely, and one for each that was not interleaved with the first. `setups` are `count` pointers
 * into the results, the first being what the others are compared with.
 */
void warnings_gather(const struct results *results, const struct setup_results *const *setups,
                     size_t count, struct text_list *warnings);

#endif
