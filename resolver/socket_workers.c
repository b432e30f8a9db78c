#include "socket_workers.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "core/error.h"

struct worker {
    pthread_t thread;
    const struct socket_set *sockets;
    struct snapshot_reader *reader;
    struct batch *batch;
    struct pollfd *polled; /* NULL when there is one socket: then receiving is waiting */
    const atomic_bool *stopping;
};

struct socket_workers {
    atomic_bool stopping;
    unsigned worker_count;
    unsigned started;
    unsigned set_count;
    struct socket_set *sets;
    struct worker *workers;
};

static void serve_one_socket(struct worker *worker)
{
    while (!atomic_load_explicit(worker->stopping, memory_order_relaxed)) {
        batch_serve(worker->batch, worker->sockets->fds[0], true, worker->reader);
    }
}

static void serve_many_sockets(struct worker *worker)
{
    size_t count = worker->sockets->count;
    while (!atomic_load_explicit(worker->stopping, memory_order_relaxed)) {
        if (poll(worker->polled, count, -1) <= 0) {
            continue;
        }
        for (size_t i = 0; i < count; i++) {
            if (worker->polled[i].revents != 0) {
                batch_serve(worker->batch, worker->sockets->fds[i], false, worker->reader);
            }
        }
    }
}

static void *run_worker(void *argument)
{
    struct worker *worker = argument;
    if (worker->polled == NULL) {
        serve_one_socket(worker);
    } else {
        serve_many_sockets(worker);
    }
    /* Another worker may wait on the same socket, and this one took its wake-up. */
    socket_wake(worker->sockets->fds[0]);
    return NULL;
}

static int prepare_worker(struct socket_workers *pool, const struct model_setup *setup,
                          unsigned number)
{
    struct worker *worker = &pool->workers[number];
    worker->sockets = &pool->sets[number % pool->set_count];
    worker->reader = snapshot_reader(setup->snapshot, number);
    worker->stopping = &pool->stopping;
    worker->batch = batch_create();
    if (worker->batch == NULL) {
        return ERR_MEMORY;
    }
    if (setup->address_count == 1) {
        return 0;
    }
    worker->polled = calloc(setup->address_count, sizeof(worker->polled[0]));
    if (worker->polled == NULL) {
        return ERR_MEMORY;
    }
    for (size_t i = 0; i < setup->address_count; i++) {
        worker->polled[i] = (struct pollfd){.fd = worker->sockets->fds[i], .events = POLLIN};
    }
    return 0;
}

static void release(struct socket_workers *pool)
{
    for (unsigned i = 0; pool->sets != NULL && i < pool->set_count; i++) {
        socket_set_close(&pool->sets[i]);
    }
    for (unsigned i = 0; pool->workers != NULL && i < pool->worker_count; i++) {
        batch_free(pool->workers[i].batch);
        free(pool->workers[i].polled);
    }
    free(pool->sets);
    free(pool->workers);
    free(pool);
}

static int open_sets(struct socket_workers *pool, const struct model_setup *setup,
                     struct diag *diag)
{
    int status = sockets_check_free(setup->addresses, setup->address_count, diag);
    for (unsigned i = 0; i < pool->set_count && status == 0; i++) {
        status = socket_set_open(&pool->sets[i], setup->addresses, setup->address_count,
                                 pool->set_count > 1, diag);
    }
    return status;
}

int socket_workers_open(const struct model_setup *setup, unsigned set_count, void **state,
                        struct diag *diag)
{
    struct socket_workers *pool = calloc(1, sizeof(*pool));
    if (pool == NULL) {
        return diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
    }
    pool->worker_count = setup->worker_count;
    pool->set_count = set_count;
    pool->sets = calloc(set_count, sizeof(pool->sets[0]));
    pool->workers = calloc(setup->worker_count, sizeof(pool->workers[0]));
    int status = pool->sets == NULL || pool->workers == NULL ? ERR_MEMORY : 0;
    if (status == 0) {
        status = open_sets(pool, setup, diag);
    }
    for (unsigned i = 0; i < setup->worker_count && status == 0; i++) {
        status = prepare_worker(pool, setup, i);
    }
    if (status != 0) {
        release(pool);
        return diag_fail(diag, status, NULL, 0, "%s", error_string(status));
    }
    *state = pool;
    return 0;
}

static void stop(struct socket_workers *pool)
{
    atomic_store(&pool->stopping, true);
    for (unsigned i = 0; i < pool->started; i++) {
        socket_wake(pool->workers[i].sockets->fds[0]);
    }
    for (unsigned i = 0; i < pool->started; i++) {
        socket_wake_and_join(pool->workers[i].sockets->fds[0], pool->workers[i].thread);
    }
    pool->started = 0;
}

int socket_workers_start(void *state, struct diag *diag)
{
    struct socket_workers *pool = state;
    for (unsigned i = 0; i < pool->worker_count; i++) {
        int failed = pthread_create(&pool->workers[i].thread, NULL, run_worker, &pool->workers[i]);
        if (failed != 0) {
            stop(pool);
            return diag_fail(diag, ERR_SYSTEM, NULL, 0, "cannot create thread %u of %u: %s", i + 1,
                             pool->worker_count, strerror(failed));
        }
        pool->started++;
    }
    return 0;
}

void socket_workers_close(void *state)
{
    stop(state);
    release(state);
}
