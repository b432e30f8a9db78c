/*
 * Watches the live counters of a run's threads and cuts its time into intervals: by the clock at
 * the moment of looking, so that an interval is as long as it says.
 */
#ifndef LOAD_MONITOR_H
#define LOAD_MONITOR_H

#include <stdint.h>
#include <sys/resource.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "load/plan.h"
#include "load/result.h"
#include "load/run.h"
#include "load/worker.h"

/* Length of an interval where -S says nothing. */
#define MONITOR_DEFAULT_INTERVAL_S 1.0

struct monitor {
    const struct load_plan *plan;
    struct load_worker **workers;
    const struct load_watcher *watcher; /* its on_interval may be NULL */
    uint64_t interval_ns;
    uint64_t next_tick_ns; /* when the present interval ends */
    uint64_t begin_ns;     /* when it began */
    enum load_phase_kind phase;
    struct load_interval *last;    /* counts of each thread at the last tick */
    struct load_interval *threads; /* each thread's part of the present interval */
    struct load_interval *intervals;
    size_t count, capacity;
    struct rusage measure_usage; /* of the process when the measured time began */
};

/* Once plan->start_ns is set. 0 or ERR_MEMORY; free with monitor_free(). */
int monitor_init(struct monitor *monitor, const struct load_plan *plan,
                 struct load_worker **workers, const struct load_watcher *watcher,
                 double interval_s) MUST_CHECK NONNULL_ALL;
void monitor_free(struct monitor *monitor) NONNULL_ALL;

/* To be called at or soon after next_tick_ns: ends the present interval and begins another. 0 or
 * ERR_MEMORY. */
int monitor_tick(struct monitor *monitor, uint64_t now_ns) MUST_CHECK NONNULL_ALL;

/*
 * Ends the last interval, at `end_ns`, when all threads have published their last counts, and
 * hands the intervals over to `result`, with the CPU time of the measured part. 0 or ERR_MEMORY.
 */
int monitor_finish(struct monitor *monitor, uint64_t end_ns,
                   struct load_result *result) MUST_CHECK NONNULL_ALL;

#endif
