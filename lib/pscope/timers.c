#include "pscope/timers.h"

#include <stdatomic.h>

#include "pscope/real.h"
#include "pscope/spinlock.h"
#include "pscope/uthread.h"

/* Why globals: the process has one set of deadlines. */
static struct spinlock lock;
static struct timer_heap heap;
static _Atomic uint64_t next_deadline = NO_DEADLINE;

static uint64_t clock_now(clockid_t clock)
{
    struct timespec now;

    libc_functions.clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

uint64_t timers_now(void)
{
    return clock_now(CLOCK_MONOTONIC);
}

bool timers_reserve(unsigned threads)
{
    bool done;

    spin_lock(&lock);
    done = timer_heap_reserve(&heap, threads);
    spin_unlock(&lock);
    return done;
}

static void publish_next(void)
{
    struct timer *first = timer_heap_first(&heap);

    atomic_store_explicit(&next_deadline, first ? first->deadline_ns : NO_DEADLINE,
                          memory_order_relaxed);
}

void timers_add(struct timer *timer, uint64_t deadline_ns)
{
    spin_lock(&lock);
    timer->deadline_ns = deadline_ns;
    timer_heap_add(&heap, timer);
    publish_next();
    spin_unlock(&lock);
}

void timers_remove(struct timer *timer)
{
    spin_lock(&lock);
    if (timer->place) {
        timer_heap_remove(&heap, timer);
        publish_next();
    }
    spin_unlock(&lock);
}

uint64_t timers_next(void)
{
    return atomic_load_explicit(&next_deadline, memory_order_relaxed);
}

void timers_fire(struct carrier *carrier)
{
    struct timer *timer;
    uint64_t now;

    if (timers_next() == NO_DEADLINE)
        return;
    now = timers_now();
    if (timers_next() > now)
        return;
    spin_lock(&lock);
    while ((timer = timer_heap_first(&heap)) && timer->deadline_ns <= now) {
        timer_heap_remove(&heap, timer);
        /* Under the lock: the thread cannot pass its timers_remove() before this is done. */
        unpark(RING_MEMBER(timer, struct uthread, timer), WAKE_TIMEOUT, carrier);
    }
    publish_next();
    spin_unlock(&lock);
}

bool timers_valid(const struct timespec *time)
{
    return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < NS_PER_S;
}

uint64_t timers_after_ns(uint64_t duration_ns)
{
    uint64_t now = timers_now();

    return duration_ns < NO_DEADLINE - now ? now + duration_ns : NO_DEADLINE;
}

static uint64_t nanoseconds(const struct timespec *time)
{
    if ((uint64_t)time->tv_sec >= NO_DEADLINE / NS_PER_S)
        return NO_DEADLINE;
    return (uint64_t)time->tv_sec * NS_PER_S + (uint64_t)time->tv_nsec;
}

uint64_t timers_after(const struct timespec *duration)
{
    return timers_after_ns(nanoseconds(duration));
}

uint64_t timers_deadline(clockid_t clock, const struct timespec *when)
{
    uint64_t then = when->tv_sec < 0 ? 0 : nanoseconds(when);
    uint64_t now;

    if (clock == CLOCK_MONOTONIC || then == NO_DEADLINE)
        return then;
    now = clock_now(clock);
    return then > now ? timers_after_ns(then - now) : 0;
}

void timers_forget(void)
{
    heap.count = 0;
    atomic_store(&next_deadline, NO_DEADLINE);
    atomic_store(&lock.held, 0);
}
