/*
 * The plots of a report as gnuplot's input: scripts and data files. Text made from results; no file
 * is touched here. Names of setups stand in data files alone, where gnuplot executes nothing.
 */
#ifndef REPORT_PLOT_TEXT_H
#define REPORT_PLOT_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "core/attributes.h"
#include "report/results.h"

/* A file of plots/ and the function that writes its text. */
struct plot_file {
    const char *name; /* "setups.gp" */
    void (*print)(const struct results *results, FILE *out);
};

/* Ends with a NULL name. X.gp reads X*.dat beside it and writes X.svg. */
extern const struct plot_file plot_files[];

/* The plots themselves, without the suffix, in the order to show them; NULL at the end. */
extern const char *const plot_names[];

/* Whether there is anything to plot: a run that counts. */
bool plots_have_data(const struct results *results) NONNULL_ALL;

#endif
