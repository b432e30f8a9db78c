/*
 * What the load tool prints: dnsperf's start lines and statistics block, label for label, because
 * scripts scrape them; below the block, what dnsperf does not know. Writers only: no state.
 */
#ifndef LOAD_TEXT_H
#define LOAD_TEXT_H

#include <stdio.h>

#include "core/attributes.h"
#include "load/options.h"
#include "load/result.h"

/* The lines before the run. */
void load_text_start(FILE *out, int argc, char **argv, const struct load_options *options,
                     const struct load_result *result) NONNULL_ALL;

/*
 * The lines of -S: dnsperf's "TIME: QPS", TIME being UTC seconds since 1970, for the measured
 * time; then iperf's table, "[ID] start-end sec  queries  qps" per thread and their "[SUM]",
 * "(omitted)" behind those of the warm-up.
 */
void load_text_interval(FILE *out, double time_s, const struct load_interval *sum,
                        const struct load_interval *threads, uint32_t thread_count) NONNULL_ALL;

/* The lines after the run. */
void load_text_result(FILE *out, const struct load_result *result) NONNULL_ALL;

#endif
