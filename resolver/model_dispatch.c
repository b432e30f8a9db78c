/*
 * BIND 9.3's shape: one network thread receives, each query is a task in a queue under a mutex,
 * and the workers take tasks, answer and send. Every query wakes or hands over to another thread,
 * so what a switch costs shows here more than anywhere else.
 */
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "core/error.h"
#include "model.h"
#include "task_queue.h"

/* Queries that can wait; more stay in the socket's buffer. */
#define TASK_COUNT 1024

struct dispatch_worker {
    pthread_t thread;
    struct task_queue *queue;
    struct snapshot_reader *reader;
};

struct dispatch {
    atomic_bool stopping;
    struct socket_set sockets;
    struct pollfd *polled;
    struct task_queue *queue;
    struct dispatch_worker *workers;
    unsigned worker_count;
    unsigned started;
    bool has_network_thread;
    pthread_t network_thread;
};

static void *run_dispatch_worker(void *argument)
{
    struct dispatch_worker *worker = argument;
    uint8_t out[ANSWER_MAX_BYTES];
    struct task *task = NULL;
    while ((task = task_queue_next(worker->queue, task)) != NULL) {
        const struct zone_set *zones = snapshot_acquire(worker->reader);
        size_t bytes = answer(zones, task->query, task->query_bytes, out);
        snapshot_release(worker->reader);
        if (bytes > 0) {
            (void)sendto(task->fd, out, bytes, MSG_NOSIGNAL, (struct sockaddr *)&task->client,
                         task->client_length);
        }
    }
    return NULL;
}

/* Receives one query into the task; false when there was none. */
static bool receive(struct task *task, int fd, int flags)
{
    task->fd = fd;
    task->client_length = sizeof(task->client);
    ssize_t bytes = recvfrom(fd, task->query, sizeof(task->query), flags,
                             (struct sockaddr *)&task->client, &task->client_length);
    task->query_bytes = bytes < 0 ? 0 : (size_t)bytes;
    return bytes >= 0;
}

/* Waits until the next query has come into `task`; false to stop. `at` remembers the socket whose
 * turn it is, so that a busy one does not starve the others. */
static bool receive_next(struct dispatch *dispatch, struct task *task, size_t *at)
{
    size_t count = dispatch->sockets.count;
    while (!atomic_load_explicit(&dispatch->stopping, memory_order_relaxed)) {
        if (count == 1) {
            if (receive(task, dispatch->sockets.fds[0], 0)) {
                return true;
            }
            continue;
        }
        for (size_t i = 0; i < count; i++) {
            *at = (*at + 1) % count;
            if (receive(task, dispatch->sockets.fds[*at], MSG_DONTWAIT)) {
                return true;
            }
        }
        (void)poll(dispatch->polled, count, -1);
    }
    return false;
}

static void *run_network_thread(void *argument)
{
    struct dispatch *dispatch = argument;
    size_t at = 0;
    struct task *task = task_queue_submit(dispatch->queue, NULL);
    while (task != NULL && receive_next(dispatch, task, &at)) {
        task = task_queue_submit(dispatch->queue, task);
    }
    return NULL;
}

static void release(struct dispatch *dispatch)
{
    socket_set_close(&dispatch->sockets);
    task_queue_free(dispatch->queue);
    free(dispatch->polled);
    free(dispatch->workers);
    free(dispatch);
}

static int allocate(struct dispatch *dispatch, const struct model_setup *setup)
{
    dispatch->worker_count = setup->worker_count;
    dispatch->workers = calloc(setup->worker_count, sizeof(dispatch->workers[0]));
    dispatch->polled = calloc(setup->address_count, sizeof(dispatch->polled[0]));
    dispatch->queue = task_queue_create(TASK_COUNT);
    if (dispatch->workers == NULL || dispatch->polled == NULL || dispatch->queue == NULL) {
        return ERR_MEMORY;
    }
    for (unsigned i = 0; i < setup->worker_count; i++) {
        dispatch->workers[i].queue = dispatch->queue;
        dispatch->workers[i].reader = snapshot_reader(setup->snapshot, i);
    }
    return 0;
}

static int open_dispatch(const struct model_setup *setup, void **state, struct diag *diag)
{
    struct dispatch *dispatch = calloc(1, sizeof(*dispatch));
    if (dispatch == NULL || allocate(dispatch, setup) != 0) {
        diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
    } else if (sockets_check_free(setup->addresses, setup->address_count, diag) == 0 &&
               socket_set_open(&dispatch->sockets, setup->addresses, setup->address_count, false,
                               diag) == 0) {
        for (size_t i = 0; i < setup->address_count; i++) {
            dispatch->polled[i] = (struct pollfd){.fd = dispatch->sockets.fds[i], .events = POLLIN};
        }
        *state = dispatch;
        return 0;
    }
    if (dispatch != NULL) {
        release(dispatch);
    }
    return diag->code;
}

static void stop(struct dispatch *dispatch)
{
    atomic_store(&dispatch->stopping, true);
    if (dispatch->has_network_thread) {
        socket_wake_and_join(dispatch->sockets.fds[0], dispatch->network_thread);
    }
    task_queue_close(dispatch->queue);
    for (unsigned i = 0; i < dispatch->started; i++) {
        pthread_join(dispatch->workers[i].thread, NULL);
    }
    dispatch->has_network_thread = false;
    dispatch->started = 0;
}

static int start_dispatch(void *state, struct diag *diag)
{
    struct dispatch *dispatch = state;
    int failed = 0;
    for (unsigned i = 0; i < dispatch->worker_count && failed == 0; i++) {
        failed = pthread_create(&dispatch->workers[i].thread, NULL, run_dispatch_worker,
                                &dispatch->workers[i]);
        dispatch->started += failed == 0;
    }
    if (failed == 0) {
        failed = pthread_create(&dispatch->network_thread, NULL, run_network_thread, dispatch);
        dispatch->has_network_thread = failed == 0;
    }
    if (failed != 0) {
        stop(dispatch);
        return diag_fail(diag, ERR_SYSTEM, NULL, 0, "cannot create thread: %s", strerror(failed));
    }
    return 0;
}

static void close_dispatch(void *state)
{
    stop(state);
    release(state);
}

const struct model model_dispatch = {
    .name = "dispatch",
    .summary = "one network thread feeds a queue of workers",
    .open = open_dispatch,
    .start = start_dispatch,
    .close = close_dispatch,
};
