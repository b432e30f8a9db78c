/* The tables of a report as HTML. */
#ifndef REPORT_REPORT_TABLES_H
#define REPORT_REPORT_TABLES_H

#include <stdio.h>

#include <jansson.h>

#include "core/attributes.h"
#include "report/results.h"

/* Rate and latency of every setup. */
void report_setups_table(const struct results *results, FILE *out) NONNULL_ALL;

/* Every run, in the order they were made. */
void report_runs_table(const struct results *results, FILE *out) NONNULL_ALL;

/* Every value of a JSON object, inner names joined by points: cpu.model. */
void report_environment_table(json_t *environment, FILE *out) NONNULL_ALL;

#endif
