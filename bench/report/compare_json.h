/* The comparison of setups for programs. */
#ifndef REPORT_COMPARE_JSON_H
#define REPORT_COMPARE_JSON_H

#include <stdio.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "report/compare.h"
#include "report/results.h"

/* As compare_print(): one JSON object with "samples" and "comparisons". */
int compare_print_json(const struct results *results, const struct compare_options *options,
                       FILE *out, struct diag *diag) MUST_CHECK NONNULL_ALL;

#endif
