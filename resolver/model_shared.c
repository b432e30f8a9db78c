/* All workers wait on one socket: whoever is free takes what has come. */
#include "model.h"
#include "socket_workers.h"

static int open_shared(const struct model_setup *setup, void **state, struct diag *diag)
{
    return socket_workers_open(setup, 1, state, diag);
}

const struct model model_shared = {
    .name = "shared",
    .summary = "all workers on one socket",
    .open = open_shared,
    .start = socket_workers_start,
    .close = socket_workers_close,
};
