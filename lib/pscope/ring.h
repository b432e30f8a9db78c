/* Doubly linked FIFO lists whose links lie in the members. An all-zero head is an empty list. */
#ifndef PSCOPE_RING_H
#define PSCOPE_RING_H

#include <stdbool.h>
#include <stddef.h>

struct ring_link {
    struct ring_link *next, *previous; /* NULL: in no list */
};

struct ring {
    struct ring_link *first; /* the others follow in a circle */
};

#define RING_MEMBER(link, type, member) ((type *)(void *)((char *)(link)-offsetof(type, member)))

static inline bool ring_linked(const struct ring_link *link)
{
    return link->next != NULL;
}

static inline void ring_append(struct ring *ring, struct ring_link *link)
{
    struct ring_link *first = ring->first;

    if (!first) {
        link->next = link->previous = link;
        ring->first = link;
        return;
    }
    link->next = first;
    link->previous = first->previous;
    first->previous->next = link;
    first->previous = link;
}

static inline void ring_remove(struct ring *ring, struct ring_link *link)
{
    if (link->next == link) {
        ring->first = NULL;
    } else {
        link->previous->next = link->next;
        link->next->previous = link->previous;
        if (ring->first == link)
            ring->first = link->next;
    }
    link->next = link->previous = NULL;
}

/* The member after `link` in the order of the list, NULL behind the last one. */
static inline struct ring_link *ring_next(const struct ring *ring, const struct ring_link *link)
{
    return link->next == ring->first ? NULL : link->next;
}

#endif
