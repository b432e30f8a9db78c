/* Virtual CPUs: a queue of runnable user threads and what was done with it. */
#ifndef PSCOPE_VCPU_H
#define PSCOPE_VCPU_H

#include <stdbool.h>
#include <stdint.h>

#include "pscope/runqueue.h"

/*
 * What one virtual CPU did. Written by the carrier that is it; a carrier that was just replaced
 * may add to it at the same time, so a count can be off by a few.
 */
struct counters {
    uint64_t switches, parks, wakeups, steals, poller_wakeups, trips_home, preemptions, substitutes;
    uint64_t busy_ns, idle_ns;
    uint64_t peak_runnable;
};

struct carrier;

struct vcpu {
    _Alignas(64) struct runqueue queue;
    struct carrier *_Atomic carrier; /* the kernel thread that is this virtual CPU at present */
    _Atomic uint64_t sleeps_until;   /* CLOCK_MONOTONIC, 0: it does not sleep */
    unsigned index;
    bool global_due;      /* the global queue has not been looked at first for a while */
    bool global_last;     /* the last pick came from there */
    bool handed_over;     /* the running thread made another one runnable here, the only one */
    unsigned prompt;      /* whether such threads soon left the virtual CPU to the other, lately */
    uint64_t last_loop;   /* cycle counter: when the running thread got the virtual CPU */
    uint64_t last_duties; /* cycle counter */
    uint64_t last_clock_ns;
    struct counters counters;
};

#endif
