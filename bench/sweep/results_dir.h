/*
 * The results directory of a sweep. Only runs.jsonl is a source: it grows by one synced line a run;
 * everything else that has figures is derived from it and written anew.
 */
#ifndef SWEEP_RESULTS_DIR_H
#define SWEEP_RESULTS_DIR_H

#include <jansson.h>
#include <stddef.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "sweep/experiment.h"
#include "sweep/plan.h"
#include "sweep/record.h"

struct results_dir {
    char *directory; /* absolute */
    const struct plan *plan;
    struct run_summary *runs; /* in the order they were recorded */
    size_t run_count;
    size_t run_capacity;
    int lock_fd; /* held as long as the sweep runs */
};

/* Whether results_dir_create() may take the directory: it is not there, or empty. Changes nothing.
 */
int results_dir_check_new(const char *directory, struct diag *diag) MUST_CHECK;

/* Whether it can be made below the current directory, where it is by default. */
int results_dir_check_default(struct diag *diag) MUST_CHECK;

/*
 * Makes a new directory with experiment.yaml, logs/, ministat/ and target/. `directory` is a path
 * that must not exist (or an empty directory), or NULL for results/NAME-UTCTIME below the current
 * one. 0 and the caller closes with results_dir_close(); ERR_EXISTS or ERR_SYSTEM.
 */
int results_dir_create(const char *directory, const struct experiment *experiment,
                       const struct plan *plan, struct results_dir *results,
                       struct diag *diag) MUST_CHECK;

/*
 * Opens the directory of an earlier sweep and reads its runs. A torn last line of runs.jsonl is
 * cut off and said on standard error. 0 as above; ERR_SYNTAX for a line that is no record,
 * ERR_EXISTS when another sweep is at work there.
 */
int results_dir_open(const char *directory, const struct plan *plan, struct results_dir *results,
                     struct diag *diag) MUST_CHECK;

void results_dir_close(struct results_dir *results);

/* Appends and syncs the record, then writes the setup's ministat file anew. */
int results_dir_add(struct results_dir *results, const json_t *record,
                    struct diag *diag) MUST_CHECK;

/* Whether that run is there and counted. */
bool results_dir_has(const struct results_dir *results, size_t setup, unsigned block, unsigned run);

/* A path in the directory; the caller frees it; NULL when memory is short. */
char *results_dir_path(const struct results_dir *results, const char *format, ...)
    PRINTF_LIKE(2, 3);

#endif
