/*
 * The comparison of a sweep's setups: for each pair that differs in thread scope alone ministat's
 * table and plot, and a sentence in plain words; below it the warnings that concern it.
 */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include <stdio.h>

#include "core/attributes.h"
#include "core/diag.h"

/*
 * Reads DIRECTORY/runs.jsonl, prints the comparison on `out` (NULL: nowhere) and writes the same to
 * DIRECTORY/compare.txt. Few runs or one setup are no error: then the text says what is missing.
 * 0, or an error with a diag when the directory cannot be read or written.
 */
int compare_results_directory(const char *directory, FILE *out, struct diag *diag) MUST_CHECK;

#endif
