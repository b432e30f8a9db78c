/* The paths of one start of the target and of its runs, below the results directory. */
#ifndef SWEEP_RUN_PATHS_H
#define SWEEP_RUN_PATHS_H

#include "core/attributes.h"
#include "core/diag.h"
#include "sweep/describe.h"
#include "sweep/results_dir.h"

struct run_paths {
    struct run_names names; /* points into the others */
    char port[16];
    unsigned port_number;
    char *owned[5];
};

/*
 * Logs are logs/BLOCK-SETUP.target.log and logs/BLOCK-SETUP.load.log; what the tools write for us
 * has names of its own there. 0 or ERR_MEMORY; free with run_paths_free().
 */
int run_paths_make(const struct results_dir *results, const struct plan_start *start, unsigned port,
                   struct run_paths *paths, struct diag *diag) MUST_CHECK;

void run_paths_free(struct run_paths *paths);

#endif
