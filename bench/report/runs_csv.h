/* All runs as comma-separated values, RFC 4180 with a header line. */
#ifndef REPORT_RUNS_CSV_H
#define REPORT_RUNS_CSV_H

#include <stdio.h>

#include "core/attributes.h"
#include "report/results.h"

/* One line a run, in the order they were made; what a record does not have is an empty field. */
void runs_csv_print(const struct results *results, FILE *out) NONNULL_ALL;

#endif
