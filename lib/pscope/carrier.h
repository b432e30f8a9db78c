/*
 * Carriers: kernel threads that are the virtual CPUs. Each takes a runnable user thread, runs it
 * until it leaves (parks, yields, goes home), and does on its own stack what the leaving asked
 * for, when the thread's context is safely saved.
 */
#ifndef PSCOPE_CARRIER_H
#define PSCOPE_CARRIER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/types.h>

#include "pscope/credentials.h"
#include "pscope/runqueue.h"
#include "pscope/uthread.h"

/* What one virtual CPU did; written by its carrier alone. */
struct counters {
    uint64_t switches, parks, wakeups, steals, poller_wakeups, trips_home, preemptions;
    uint64_t busy_ns, idle_ns;
    uint64_t peak_runnable;
};

#define CARRIER_EVENTS 64

struct carrier {
    _Alignas(64) struct runqueue queue;
    _Alignas(64) void *context; /* of the scheduling loop while a thread runs */
    void (*leave)(struct carrier *carrier, struct uthread *thread);
    uint64_t last_duties; /* cycle counter */
    uint64_t last_clock_ns;
    unsigned turn;
    bool scheduling; /* on its own stack: it will look at its queue before it sleeps */
    unsigned index;
    pid_t tid;
    struct counters counters;
    struct credentials_seen credentials;
    struct epoll_event events[CARRIER_EVENTS]; /* just taken from the poller */
};

/* Starts `count` carriers; false, with none started, when the system refuses. */
bool carriers_start(unsigned count);

unsigned carriers_count(void);
struct carrier *carriers_get(unsigned index);

/* The carrier of the calling user thread, NULL when it is at home or system scope. */
static inline struct carrier *carrier_here(void)
{
    struct uthread *self = uthread_aboard;

    return self ? self->carrier : NULL;
}

/*
 * Makes a thread runnable: on the queue of `here`, the carrier that the caller is on, or on the
 * global queue when that is NULL. Wakes an idle carrier if there is one.
 */
void carrier_submit(struct uthread *thread, struct carrier *here);

/*
 * Saves the caller, which is aboard, and runs leave(carrier, caller) on the carrier's stack.
 * Returns when the thread is run again, perhaps on another carrier or at home.
 */
void carrier_leave(struct uthread *self,
                   void (*leave)(struct carrier *carrier, struct uthread *thread));

/* Lets other runnable threads run; the caller, aboard, goes to the end of its queue. */
void carrier_yield(struct uthread *self);

/* The poller saw its wake-up descriptor: the next submitter must write it again. */
void carrier_woken(void);

/* Forgets all: in the child of a fork. */
void carriers_forget(void);

#endif
