/* One socket a worker (SO_REUSEPORT): the kernel spreads the clients, the workers share nothing. */
#include "model.h"
#include "socket_workers.h"

static int open_reuseport(const struct model_setup *setup, void **state, struct diag *diag)
{
    return socket_workers_open(setup, setup->worker_count, state, diag);
}

const struct model model_reuseport = {
    .name = "reuseport",
    .summary = "one socket a worker, nothing shared",
    .open = open_reuseport,
    .start = socket_workers_start,
    .close = socket_workers_close,
};
