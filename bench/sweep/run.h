/* One start of the target and the runs that are made with it. From main's thread. */
#ifndef SWEEP_RUN_H
#define SWEEP_RUN_H

#include "core/attributes.h"
#include "core/diag.h"
#include "sweep/progress.h"
#include "sweep/results_dir.h"
#include "sweep/site.h"

/* What all starts of a sweep share; all borrowed. */
struct runner {
    const struct site *site;
    struct results_dir *results;
    struct progress *progress;
    const char *version;            /* of the target */
    const char *const *environment; /* inherited by both sides */
};

/* How long a server may take from its start to its first right answer. */
#define RUN_READY_TIMEOUT_US (UINT64_C(30) * 1000 * 1000)

/*
 * Starts the target in its setup, waits until it answers, measures what the results do not have
 * yet, stops it. When it returns no process is left, whatever happened. 0; ERR_TARGET when the
 * server failed (its last log lines are on standard error), ERR_INTERRUPTED, or another error; a
 * run that was cut is recorded as not counted.
 */
int run_start(const struct runner *runner, const struct plan_start *start,
              struct diag *diag) MUST_CHECK;

#endif
