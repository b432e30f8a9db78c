/*
 * Queues of runnable user threads, first in, first out. Every virtual CPU has one and takes from
 * the others when its own is empty; a global one takes what comes from outside.
 */
#ifndef PSCOPE_RUNQUEUE_H
#define PSCOPE_RUNQUEUE_H

#include <stdbool.h>

#include "pscope/spinlock.h"

struct run_link {
    struct run_link *next;
};

struct runqueue {
    struct spinlock lock;
    atomic_uint length; /* written under the lock, read without */
    struct run_link *first, *last;
};

/* Appends; sequentially consistent against runqueue_empty(), see carrier.c on idling. */
void runqueue_push(struct runqueue *queue, struct run_link *link);

/* The oldest member, or NULL. */
struct run_link *runqueue_pop(struct runqueue *queue);

/*
 * Moves the older half (rounded up) of `from` to `to` but for one, which is returned; NULL when
 * there is nothing to take. The two must differ; neither lock may be held.
 */
struct run_link *runqueue_steal(struct runqueue *to, struct runqueue *from);

static inline unsigned runqueue_length(struct runqueue *queue)
{
    return atomic_load(&queue->length);
}

#endif
