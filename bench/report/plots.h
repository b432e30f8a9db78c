/* The plots of a report: files written, gnuplot run on them. */
#ifndef REPORT_PLOTS_H
#define REPORT_PLOTS_H

#include "core/attributes.h"
#include "core/diag.h"
#include "report/results.h"

/*
 * Writes DIRECTORY/plots/X.gp and its data, and has gnuplot make X.svg of them. 0; ERR_NOT_FOUND
 * without a diag when there is no gnuplot (the scripts are there all the same), or an error with a
 * diag. Starts a process: call it while there is one thread.
 */
int plots_make(const struct results *results, const char *directory,
               struct diag *diag) MUST_CHECK NONNULL_ALL;

#endif
