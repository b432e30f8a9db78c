/*
 * The comparison of a sweep's setups as text: for each pair that differs in thread scope alone
 * ministat's table and plot, and a sentence in plain words; below it the warnings that concern it.
 */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include <stdbool.h>
#include <stdio.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "report/results.h"
#include "stats/ministat.h"

/*
 * Reads DIRECTORY/runs.jsonl, prints the comparison on `out` (NULL: nowhere) and writes the same to
 * DIRECTORY/compare.txt. Few runs or one setup are no error: then the text says what is missing.
 * 0, or an error with a diag when the directory cannot be read or written.
 */
int compare_results_directory(const char *directory, FILE *out, struct diag *diag) MUST_CHECK;

struct compare_options {
    struct ministat_options ministat;
    bool ministat_only;   /* its blocks alone, without a word of ours */
    const char *baseline; /* the setup that all others are compared with; NULL: the first one, where
                             no two setups differ in scope alone */
};

/* The text for results already read. 0, ERR_MEMORY, or ERR_NOT_FOUND for an unknown baseline. */
int compare_print(const struct results *results, const struct compare_options *options, FILE *out,
                  struct diag *diag) MUST_CHECK NONNULL_ALL;

#endif
