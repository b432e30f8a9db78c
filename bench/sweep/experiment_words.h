/* The words of the experiment file and what they stand for. */
#ifndef SWEEP_EXPERIMENT_WORDS_H
#define SWEEP_EXPERIMENT_WORDS_H

#include "sweep/experiment.h"

/* In place of a number of workers: as many as virtual CPUs. */
#define EXPERIMENT_WORKERS_VCPUS "${vcpus}"

extern const struct choice experiment_target_kinds[]; /* enum target_kind */
extern const struct choice experiment_models[];       /* the names alone count */
extern const struct choice experiment_orders[];       /* enum run_order */
extern const struct choice experiment_scopes[];       /* enum thread_scope */
extern const struct choice experiment_smt[];          /* enum smt_policy */
extern const struct choice experiment_placements[];   /* enum placement_policy */
extern const struct choice experiment_allocators[];   /* enum allocator */
extern const struct choice experiment_confines[];     /* enum confine_policy */

#endif
