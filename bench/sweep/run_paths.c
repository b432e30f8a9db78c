#include "sweep/run_paths.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"

int run_paths_make(const struct results_dir *results, const struct plan_start *start, unsigned port,
                   struct run_paths *paths, struct diag *diag)
{
    const char *setup = results->plan->setups[start->setup].name;
    *paths = (struct run_paths){.port_number = port};
    snprintf(paths->port, sizeof(paths->port), "%u", port);
    char **owned = paths->owned;
    owned[0] = results_dir_path(results, "target");
    owned[1] = results_dir_path(results, "logs/%03u-%s.target.log", start->block, setup);
    owned[2] = results_dir_path(results, "logs/%03u-%s.pscope.json", start->block, setup);
    owned[3] = results_dir_path(results, "logs/%03u-%s.load.log", start->block, setup);
    owned[4] = results_dir_path(results, "logs/%03u-%s.load.json", start->block, setup);
    paths->names = (struct run_names){
        .port = paths->port,
        .target_directory = owned[0],
        .target_log = owned[1],
        .pscope_stats = owned[2],
        .load_log = owned[3],
        .load_json = owned[4],
    };
    for (size_t i = 0; i < ARRAY_LENGTH(paths->owned); i++) {
        if (owned[i] == NULL) {
            run_paths_free(paths);
            return diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
        }
    }
    return 0;
}

void run_paths_free(struct run_paths *paths)
{
    for (size_t i = 0; i < ARRAY_LENGTH(paths->owned); i++) {
        free(paths->owned[i]);
    }
    *paths = (struct run_paths){0};
}
