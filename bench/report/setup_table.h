/* The table of rates that a comparison begins with, as text. */
#ifndef REPORT_SETUP_TABLE_H
#define REPORT_SETUP_TABLE_H

#include <stdio.h>

#include "core/attributes.h"
#include "report/results.h"

/* A line for each setup: runs that count, median, mean and deviation of their queries per second,
 * and the flags of all its runs with how many of them have each. 0 or ERR_MEMORY. */
int setup_table_print(const struct results *results, FILE *out) MUST_CHECK NONNULL_ALL;

#endif
