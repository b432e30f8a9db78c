#include "pscope/timer_heap.h"

#include <sys/mman.h>

bool timer_heap_reserve(struct timer_heap *heap, size_t capacity)
{
    size_t size;
    void *memory;

    if (capacity <= heap->capacity)
        return true;
    if (capacity < 512)
        capacity = 512;
    if (capacity < 2 * heap->capacity)
        capacity = 2 * heap->capacity;
    size = capacity * sizeof *heap->timers;
    /* Not malloc: the program may bring its own, which must not be called with our locks held. */
    memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    if (heap->timers) {
        __builtin_memcpy(memory, heap->timers, heap->count * sizeof *heap->timers);
        munmap(heap->timers, heap->capacity * sizeof *heap->timers);
    }
    heap->timers = memory;
    heap->capacity = capacity;
    return true;
}

static void put(struct timer_heap *heap, size_t index, struct timer *timer)
{
    heap->timers[index] = timer;
    timer->place = index + 1;
}

static void sift_up(struct timer_heap *heap, size_t index, struct timer *timer)
{
    while (index > 0) {
        size_t parent = (index - 1) / 2;

        if (heap->timers[parent]->deadline_ns <= timer->deadline_ns)
            break;
        put(heap, index, heap->timers[parent]);
        index = parent;
    }
    put(heap, index, timer);
}

static void sift_down(struct timer_heap *heap, size_t index, struct timer *timer)
{
    for (;;) {
        size_t child = 2 * index + 1;

        if (child >= heap->count)
            break;
        if (child + 1 < heap->count &&
            heap->timers[child + 1]->deadline_ns < heap->timers[child]->deadline_ns)
            child++;
        if (timer->deadline_ns <= heap->timers[child]->deadline_ns)
            break;
        put(heap, index, heap->timers[child]);
        index = child;
    }
    put(heap, index, timer);
}

void timer_heap_add(struct timer_heap *heap, struct timer *timer)
{
    sift_up(heap, heap->count++, timer);
}

void timer_heap_remove(struct timer_heap *heap, struct timer *timer)
{
    size_t index = timer->place - 1;
    struct timer *last = heap->timers[--heap->count];

    timer->place = 0;
    if (last == timer)
        return;
    if (index > 0 && last->deadline_ns < heap->timers[(index - 1) / 2]->deadline_ns)
        sift_up(heap, index, last);
    else
        sift_down(heap, index, last);
}
