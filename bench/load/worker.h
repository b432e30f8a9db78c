/*
 * One sending thread: it keeps its share of the window full, over its own flows, and checks and
 * counts what comes back. It shares nothing that it writes but its live counters, which have one
 * writer.
 */
#ifndef LOAD_WORKER_H
#define LOAD_WORKER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "load/flow.h"
#include "load/plan.h"
#include "load/result.h"
#include "load/thread_time.h"

struct pollfd;

/* For whoever watches the run; a little behind the thread's own counters. */
struct load_live {
    _Atomic uint64_t sent, completed, lost;
};

/* How a run is stopped from outside: raised flag first, then the readable descriptor. */
struct load_stop {
    atomic_bool raised;
    int fd; /* an eventfd that nobody reads */
};

struct load_worker {
    const struct load_plan *plan;
    struct load_stop *stop;
    uint32_t index; /* of plan->threads */

    struct flow *flows;
    uint32_t flow_count;
    struct pollfd *polls; /* flow_count, and stop->fd behind them */
    uint32_t next_flow;
    uint32_t flow_batch; /* queries to a flow before it is the next one's turn */

    uint32_t window;    /* queries that may be in flight */
    uint32_t in_flight; /* over all flows */
    uint64_t position;  /* in the query set, of the next query */
    uint64_t remaining; /* queries that this thread may still send in this phase */

    enum load_phase_kind phase;
    uint64_t next_expiry_ns; /* no query is lost before */
    uint64_t hold_until_ns;  /* nothing is sent before: the server refused */
    uint64_t first_refusal_ns;
    int refusal_errno;
    bool gave_up;                  /* refused for a second, and never answered */
    bool completed;                /* this thread has had an answer */
    struct thread_time phase_time; /* when the measured time began */
    uint64_t phase_start_ns;       /* likewise */
    uint64_t send_end_ns;          /* when it ended; 0: not yet */

    struct load_phase phases[LOAD_PHASES];
    struct load_thread report;
    uint64_t socket_drops; /* replies lost in the flows' own buffers, over the whole run */
    struct diag diag;      /* the failure that ended it */

    struct flow_batch outgoing, incoming;
    _Alignas(64) struct load_live live[LOAD_PHASES];
};

struct load_worker_config {
    const struct load_plan *plan;
    struct load_stop *stop;
    uint32_t index;
    uint32_t window;
    uint32_t flow_count;
    struct flow_config flow; /* local port of the first flow; each takes the next, unless 0 */
};

/* Opens the flows. NULL with a diag on failure; free with load_worker_free(). */
struct load_worker *load_worker_new(const struct load_worker_config *config,
                                    struct diag *diag) MUST_CHECK NONNULL_ALL;
void load_worker_free(struct load_worker *worker);

/*
 * Sends and receives until the plan's end and all queries are answered or lost, or until stopped.
 * To be called by its thread, when plan->start_ns is set. Blocks in ppoll(2) alone. A failure is in
 * worker->diag.
 */
void load_worker_run(struct load_worker *worker) NONNULL_ALL;

#endif
