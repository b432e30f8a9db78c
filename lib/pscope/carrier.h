/*
 * Carriers: kernel threads that run user threads, each for one virtual CPU. A carrier takes a
 * runnable user thread, runs it until it leaves (parks, yields, goes home), and does on its own
 * stack what the leaving asked for, when the thread's context is safely saved.
 *
 * When the kernel keeps a carrier asleep under its user thread, the monitor retires it: another
 * carrier becomes that virtual CPU, and the retired one waits to be a substitute itself as soon as
 * its thread leaves it.
 */
#ifndef PSCOPE_CARRIER_H
#define PSCOPE_CARRIER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "pscope/credentials.h"
#include "pscope/poller.h"
#include "pscope/uthread.h"
#include "pscope/vcpu.h"

enum carrier_state {
    CARRIER_SCHEDULING, /* on its own stack */
    CARRIER_RUNNING,    /* in its user thread */
    CARRIER_RETIRED,    /* in its user thread, but no longer a virtual CPU */
};

struct carrier {
    void *context; /* of the scheduling loop while a thread runs */
    void (*leave)(struct carrier *carrier, struct uthread *thread);
    struct vcpu *vcpu;
    struct uthread *running;
    uintptr_t thread_pointer; /* what its FS base is set to, 0: its creator's */
    atomic_uint state;        /* enum carrier_state */
    atomic_uint assigned;     /* futex: 1 when a spare one became a virtual CPU */
    atomic_bool kicked;       /* the preemption signal is on its way to it */
    pid_t tid;
    int status_fd; /* its /proc status, opened by the monitor */
    struct credentials_seen credentials;
    struct carrier *next_spare, *next_all;
    struct poller_events events; /* just taken from the poller */
};

/* Starts `count` virtual CPUs; false when the system refuses. */
bool carriers_start(unsigned count);

/* The virtual CPUs. */
unsigned vcpus_count(void);
struct vcpu *vcpus_get(unsigned index);

/* All carriers there are, spare and retired ones, too. */
unsigned carriers_count(void);
void carriers_each(void (*visit)(struct carrier *carrier));

/* The carrier of the calling user thread, NULL when it is at home or system scope. */
static inline struct carrier *carrier_here(void)
{
    struct uthread *self = uthread_aboard;

    return self ? self->carrier : NULL;
}

/*
 * Makes a thread runnable: on the queue of `here`, the carrier that the caller is on, or on the
 * global queue when that is NULL. Wakes an idle carrier if there is one, unless the caller, by what
 * was seen lately, will soon leave its virtual CPU to the thread.
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

/*
 * Somebody who is not idle collected the poller's events, and a kick that was meant for an idle
 * carrier with them: kicks again if that is still needed.
 */
void carrier_kick_taken(void);

/* For the monitor: is any carrier idle, are all, is any user thread waiting for its turn? */
bool carriers_idle(void);
bool carriers_all_idle(void);
bool carriers_work_visible(void);
/* For the monitor: wakes an idle carrier, if there is one, for work that its virtual CPU keeps. */
void carriers_wake_idle(void);

/*
 * For the monitor: gives the virtual CPU of `carrier` to a spare or new one if its user thread
 * still keeps it; false when it does not, or when no other can be had.
 */
bool carrier_substitute(struct carrier *carrier);

/* Forgets all: in the child of a fork. */
void carriers_forget(void);

#endif
