#include "pscope/runqueue.h"

#include <stddef.h>

static void append(struct runqueue *queue, struct run_link *first, struct run_link *last,
                   unsigned count)
{
    last->next = NULL;
    if (queue->first)
        queue->last->next = first;
    else
        queue->first = first;
    queue->last = last;
    atomic_fetch_add(&queue->length, count);
}

void runqueue_push(struct runqueue *queue, struct run_link *link)
{
    spin_lock(&queue->lock);
    append(queue, link, link, 1);
    spin_unlock(&queue->lock);
}

struct run_link *runqueue_pop(struct runqueue *queue)
{
    struct run_link *link;

    if (atomic_load_explicit(&queue->length, memory_order_relaxed) == 0)
        return NULL;
    spin_lock(&queue->lock);
    link = queue->first;
    if (link) {
        queue->first = link->next;
        atomic_store_explicit(&queue->length,
                              atomic_load_explicit(&queue->length, memory_order_relaxed) - 1,
                              memory_order_relaxed);
    }
    spin_unlock(&queue->lock);
    return link;
}

struct run_link *runqueue_steal(struct runqueue *to, struct runqueue *from)
{
    struct run_link *first, *last;
    unsigned count, i;

    if (runqueue_length(from) == 0)
        return NULL;
    spin_lock(&from->lock);
    count = (runqueue_length(from) + 1) / 2;
    first = last = from->first;
    for (i = 1; i < count; i++)
        last = last->next;
    if (count > 0) {
        from->first = last->next;
        atomic_fetch_sub(&from->length, count);
    }
    spin_unlock(&from->lock);
    if (count > 1) {
        spin_lock(&to->lock);
        append(to, first->next, last, count - 1);
        spin_unlock(&to->lock);
    }
    return first;
}
