/*
 * User threads. A user thread U is *aboard* a carrier while that virtual CPU runs it, *parked*
 * while it waits for something, or *at home*: on the kernel thread that pthread_create() made for
 * it. Its thread-local storage is its own everywhere, since the thread pointer moves with it.
 */
#ifndef PSCOPE_UTHREAD_H
#define PSCOPE_UTHREAD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

#include "pscope/ring.h"
#include "pscope/runqueue.h"
#include "pscope/timer_heap.h"

struct carrier;

/*
 * How a park ends. The order of a park is: park_begin() arms it, the thread puts itself where
 * wakers find it, park_commit() leaves the carrier. Exactly one waker wins; the losers are told.
 */
enum wake {
    WAKE_ARMED,     /* about to park, nobody woke it yet */
    WAKE_PARKED,    /* off the carrier */
    WAKE_OBJECT,    /* what it waited for happened */
    WAKE_TIMEOUT,   /* its deadline passed */
    WAKE_INTERRUPT, /* a signal or a cancellation wants its attention */
};

/* Why a thread should look up from a wait (bits of uthread.attention). */
enum attention {
    ATTENTION_SIGNAL = 1, /* a signal may be pending at its home */
    ATTENTION_CANCEL = 2, /* pthread_cancel() was called on it */
};

struct uthread {
    void *context;                   /* saved stack pointer while it is not running */
    uintptr_t thread_pointer;        /* FS base */
    struct carrier *_Atomic carrier; /* NULL at home */
    atomic_uint wake;                /* enum wake */
    atomic_uint attention;           /* bits of enum attention */
    struct run_link run;
    struct timer timer;

    atomic_uint home_turn; /* futex: 1 when its kernel thread shall run it */
    void *home_stack;      /* top of the small stack that its kernel thread waits on */
    pid_t tid;             /* its kernel thread */
    unsigned bound;        /* how many reasons keep it at home, see home_bind() */
    bool cancel_disabled;  /* as pthread_setcancelstate() left it */
    bool gives_way;        /* it woke one who lost the race for a lock before */
    uint64_t signal_mask;  /* blocked signals, as the program set them */
    struct ring_link registered;
    pthread_t handle;

    void *(*start)(void *);
    void *argument;
    struct uthread *next_free;
};

/* The calling thread when it is aboard a carrier, else NULL (at home, or system scope). */
extern __thread struct uthread *uthread_aboard
    __attribute__((tls_model("initial-exec"), visibility("hidden")));
/* The calling thread when it is a user thread, wherever it runs. */
extern __thread struct uthread *uthread_self
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* A zeroed user thread with a home stack; NULL when memory is short. Any thread. */
struct uthread *uthread_allocate(void);
void uthread_free(struct uthread *thread);

/* How many are allocated and not freed. */
unsigned uthread_allocated(void);

/* Fills in what belongs to the calling kernel thread, which becomes the home, and registers. */
void uthread_settle(struct uthread *thread);
/* The opposite, before the kernel thread ends or stops being a home. */
void uthread_unsettle(struct uthread *thread);

/*
 * Brackets the time between a pthread_create() and the new thread's uthread_settle(), in which its
 * handle is known already but leads to no user thread yet.
 */
void uthread_starting_begin(void);
void uthread_starting_end(void);

/*
 * The user thread behind a pthread handle, or NULL. The handle must be valid. A thread that is
 * starting is waited for.
 */
struct uthread *uthread_of(pthread_t handle);

/*
 * Calls visit() for each registered user thread, with the registry locked, until it returns
 * false. A thread that is being visited cannot end.
 */
void uthread_each(bool (*visit)(struct uthread *thread, void *argument), void *argument);

/* Sets attention bits and wakes the thread if it is parked. False when it is not registered. */
bool uthread_attract(pthread_t handle, unsigned attention);
/* The same for a thread that uthread_each() is visiting. */
void uthread_attract_visited(struct uthread *thread, unsigned attention);

/* Forgets all user threads: in the child of a fork. */
void uthread_forget_all(void);

/* How many user threads are registered. */
unsigned uthread_count(void);

/* The attention that is due now; a cancellation is not while the thread has disabled it. */
static inline unsigned uthread_attention(const struct uthread *self)
{
    unsigned attention = atomic_load(&self->attention);

    return self->cancel_disabled ? attention & ~(unsigned)ATTENTION_CANCEL : attention;
}

/* The caller, aboard, arms a park. */
static inline void park_begin(struct uthread *self)
{
    atomic_store(&self->wake, WAKE_ARMED);
}

/*
 * Leaves the carrier until woken, or until CLOCK_MONOTONIC reaches `deadline_ns` (NO_DEADLINE:
 * never). Switches threads. Returns how it ended: WAKE_INTERRUPT at once when attention among the
 * bits of `heed` is due.
 */
#define NO_DEADLINE UINT64_MAX
enum wake park_commit(struct uthread *self, uint64_t deadline_ns, unsigned heed);

/*
 * Ends a park for `reason`; false when somebody else already did. `here` is the carrier that the
 * caller is on, or NULL. The caller must hold whatever keeps `thread` from leaving its wait.
 */
bool unpark(struct uthread *thread, enum wake reason, struct carrier *here);

#endif
