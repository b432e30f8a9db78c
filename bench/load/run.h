/* A run of the load tool: threads started, watched, joined, their counts merged. */
#ifndef LOAD_RUN_H
#define LOAD_RUN_H

#include <stdio.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "dns/query_set.h"
#include "load/address.h"
#include "load/options.h"
#include "load/result.h"

/* Whoever wants to see a run while it goes on; called from the thread that called load_run(). */
struct load_watcher {
    /* The threads stand ready, nothing is sent yet. */
    void (*on_start)(void *context, const struct load_result *so_far);
    /* An interval of options->interval_s has ended: of all threads, and of each by itself. */
    void (*on_interval)(void *context, const struct load_interval *sum,
                        const struct load_interval *threads, uint32_t thread_count);
    FILE *query_lines; /* takes a line per query; NULL: none */
    void *context;
};

/* As many threads as there is something to do for: at most one per client and per query in
 * flight. */
uint32_t load_run_threads(const struct load_options *options) NONNULL_ALL;

/*
 * Sends `queries` to `server` as `options` say, until done or interrupt_pending()
 * (system/interrupt.h, which must be installed). 0 and `result` is filled, also when interrupted;
 * free it with load_result_free(). ERR_TARGET when every query was refused: `result` is filled and
 * the diag says so. Other failures have a diag alone.
 */
int load_run(const struct load_options *options, const struct query_set *queries,
             const struct address *server, const struct load_watcher *watcher,
             struct load_result *result, struct diag *diag) MUST_CHECK NONNULL_ALL;

#endif
