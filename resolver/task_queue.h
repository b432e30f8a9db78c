/*
 * A bounded queue of queries between one thread that receives and those that answer: a mutex and
 * two condition variables, as BIND 9.3's task manager had. Every query goes through it alone.
 */
#ifndef RESOLVER_TASK_QUEUE_H
#define RESOLVER_TASK_QUEUE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "core/attributes.h"

#define TASK_QUERY_MAX_BYTES 4096

struct task {
    struct task *next;
    int fd; /* where the query came in and the answer goes out */
    socklen_t client_length;
    size_t query_bytes;
    struct sockaddr_storage client;
    uint8_t query[TASK_QUERY_MAX_BYTES];
};

struct task_queue;

/* A queue with `task_count` tasks, all free. NULL when memory is out. */
struct task_queue *task_queue_create(size_t task_count) MUST_CHECK;

/* Nobody uses the queue or its tasks any more. NULL is allowed. */
void task_queue_free(struct task_queue *queue);

/* Queues `filled` (NULL the first time) and returns a free task, waiting for one if need be. NULL
 * once the queue is closed. May switch threads. */
struct task *task_queue_submit(struct task_queue *queue, struct task *filled);

/* Gives back `done` (NULL the first time) and returns the oldest queued task, waiting for one if
 * need be. NULL once the queue is closed and empty. May switch threads. */
struct task *task_queue_next(struct task_queue *queue, struct task *done);

/* Ends all waiting, now and later. */
void task_queue_close(struct task_queue *queue);

#endif
