/* A results directory's report: report.html, runs.csv and plots/, made from what is there. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdio.h>

#include "core/attributes.h"
#include "core/diag.h"

/*
 * Reads DIRECTORY/runs.jsonl, environment.json and experiment.yaml (the last two may be missing)
 * and writes the report beside them. What could not be done for want of gnuplot is said on `notes`.
 * Runs gnuplot: call it while there is one thread. 0, or an error with a diag.
 */
int report_make(const char *directory, FILE *notes, struct diag *diag) MUST_CHECK NONNULL_ALL;

#endif
