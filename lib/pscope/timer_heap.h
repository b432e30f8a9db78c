/* A binary heap of deadlines, the earliest at the top. Not thread-safe; no clock; pure. */
#ifndef PSCOPE_TIMER_HEAP_H
#define PSCOPE_TIMER_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct timer {
    uint64_t deadline_ns;
    size_t place; /* index in the heap plus one; 0: not in a heap */
};

struct timer_heap {
    struct timer **timers;
    size_t count, capacity;
};

/* Makes room for `capacity` timers; false when memory is short. Adding needs room made before. */
bool timer_heap_reserve(struct timer_heap *heap, size_t capacity);

/* O(log n). The timer must be in no heap and there must be room. */
void timer_heap_add(struct timer_heap *heap, struct timer *timer);

/* O(log n). The timer must be in this heap. */
void timer_heap_remove(struct timer_heap *heap, struct timer *timer);

/* The earliest timer or NULL. */
static inline struct timer *timer_heap_first(const struct timer_heap *heap)
{
    return heap->count ? heap->timers[0] : NULL;
}

#endif
