/*
 * The plan of a sweep: every setup that the axes make, and the order in which the target is started
 * in them. A pure function of the experiment (its seed included): the same on every machine.
 */
#ifndef SWEEP_PLAN_H
#define SWEEP_PLAN_H

#include <stddef.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "sweep/experiment.h"
#include "system/launch.h"

#define SETUP_NAME_SIZE 200

/* One point of the axes. */
struct plan_setup {
    char name[SETUP_NAME_SIZE]; /* "process-scope-1-cpu", usable as a file's name */
    enum thread_scope scope;
    unsigned vcpus;
    enum smt_policy smt;
    const struct placement_value *placement; /* in the experiment */
    enum allocator malloc;
    enum confine_policy confine;
};

/* One start of the target; it is measured runs_per_start times. */
struct plan_start {
    size_t setup;   /* index */
    unsigned block; /* from 1: the how-manieth start of this setup */
};

struct plan {
    struct plan_setup
        *setups; /* scope varies fastest, then vcpus, smt, placement, malloc, confine */
    size_t setup_count;
    struct plan_start *starts; /* in the order to run them */
    size_t start_count;
};

/*
 * Randomised blocks: block after block, each with every setup once, shuffled by one stream of
 * core/prng.h that starts at the seed (so the first blocks do not depend on how many follow).
 * Sequential: all starts of the first setup, then all of the second. 0 or ERR_MEMORY; the
 * experiment must outlive the plan. Any thread.
 */
int plan_make(const struct experiment *experiment, struct plan *plan, struct diag *diag) MUST_CHECK;

void plan_free(struct plan *plan);

/* Workers of the target in that setup. */
unsigned plan_workers(const struct experiment *experiment, const struct plan_setup *setup);

#endif
