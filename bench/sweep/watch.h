/*
 * Waiting for the load tool while its target runs, with samples of the target at the right moments.
 * From main's thread.
 */
#ifndef SWEEP_WATCH_H
#define SWEEP_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "system/proc_sample.h"
#include "system/process.h"

/* The target and the machine at one moment. */
struct watch_sample {
    uint64_t at_ns; /* 0: its moment has not come */
    bool valid;     /* false: nothing could be read */
    struct proc_sample target;
    struct host_sample host;
};

struct watch {
    const struct process *target;
    const struct process *load;
    uint64_t begin_ns;   /* when the load tool was started */
    uint64_t warmup_ns;  /* the first sample is taken after it */
    uint64_t measure_ns; /* the second one after that, or at the load tool's end */
    uint64_t limit_ns;   /* the load tool must have ended by then, after begin_ns */
    /* Called about twice a second, to show progress; may be NULL. */
    void (*tick)(void *context, double elapsed_s);
    void *context;

    struct watch_sample first;
    struct watch_sample last;
    bool target_died;
};

/*
 * Returns when the load tool has ended: 0; or before: ERR_TARGET when the target did
 * (target_died), ERR_INTERRUPTED when a signal asks to stop, ERR_TIMEOUT when the limit is over,
 * ERR_SYSTEM. Reaps nobody. Free with watch_free().
 */
int watch_run(struct watch *watch, struct diag *diag) MUST_CHECK;

void watch_free(struct watch *watch);

#endif
