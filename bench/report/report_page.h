/*
 * The page of a report: one HTML document that needs nothing else. A function of its inputs; what
 * comes from outside is escaped.
 */
#ifndef REPORT_REPORT_PAGE_H
#define REPORT_REPORT_PAGE_H

#include <stdio.h>

#include <jansson.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "core/file.h"
#include "report/results.h"

#define REPORT_PLOTS_MAX 8

struct report_input {
    const char *name; /* of the results directory, the page's heading */
    const struct results *results;
    json_t *environment;                  /* NULL when there is none */
    const struct bytes *experiment;       /* the experiment's file; no data when there is none */
    struct bytes plots[REPORT_PLOTS_MAX]; /* the SVG for each of plot_names[]; no data: left out */
    const char *plots_note;               /* why plots are left out; NULL when they are there */
};

/* 0 or ERR_MEMORY. */
int report_page_print(const struct report_input *input, FILE *out,
                      struct diag *diag) MUST_CHECK NONNULL_ALL;

#endif
