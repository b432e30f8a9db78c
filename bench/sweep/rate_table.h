/* The table of rates that a sweep ends with. */
#ifndef SWEEP_RATE_TABLE_H
#define SWEEP_RATE_TABLE_H

#include <stdio.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "sweep/results_dir.h"

/* A line for each setup: N, median, mean, standard deviation of the queries per second of its
 * counted runs, and the flags of all its runs with how many runs have each. 0 or ERR_MEMORY. */
int rate_table_print(const struct results_dir *results, FILE *out, struct diag *diag) MUST_CHECK;

#endif
