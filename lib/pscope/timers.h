/* The deadlines of all parked user threads. */
#ifndef PSCOPE_TIMERS_H
#define PSCOPE_TIMERS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "pscope/timer_heap.h"

struct carrier;

#define NS_PER_S 1000000000

/* Nanoseconds of CLOCK_MONOTONIC. */
uint64_t timers_now(void);

/* Makes room for the timers of `threads` user threads; false when memory is short. */
bool timers_reserve(unsigned threads);

/* The timer of a user thread that is about to park. */
void timers_add(struct timer *timer, uint64_t deadline_ns);

/* Takes it out again if it is still in; afterwards it cannot fire. */
void timers_remove(struct timer *timer);

/* Wakes all whose deadline has passed; on the stack of `carrier`. */
void timers_fire(struct carrier *carrier);

/* The earliest deadline, NO_DEADLINE without one; read without a lock. */
uint64_t timers_next(void);

/* An absolute time of `clock` as CLOCK_MONOTONIC nanoseconds; 0 when it has passed. */
uint64_t timers_deadline(clockid_t clock, const struct timespec *when);

/* `duration` from now as CLOCK_MONOTONIC nanoseconds; never wraps. */
uint64_t timers_after(const struct timespec *duration);
uint64_t timers_after_ns(uint64_t duration_ns);

/* A valid tv_nsec and no negative seconds? */
bool timers_valid(const struct timespec *time);

/* Forgets all: in the child of a fork. */
void timers_forget(void);

#endif
