/*
 * Going home: a user thread's context moves to the kernel thread that pthread_create() made for
 * it. What cannot be made non-blocking, what acts on one kernel thread, and what glibc does with
 * signals, cancellation and exit happens there, exactly as without this library.
 */
#ifndef PSCOPE_HOME_H
#define PSCOPE_HOME_H

#include <stdbool.h>

#include "pscope/uthread.h"

/*
 * Moves the caller home and gives the kernel thread the caller's signal mask, so that its pending
 * signals are delivered here. False, and nothing done, when it is not aboard a carrier.
 * Switches threads.
 */
bool home_enter(void);

/* Moves the caller, at home, back to the carriers, unless it is bound or the process forked. */
void home_leave(void);

/* type call evaluated at home; errno passes through. */
#define AT_HOME(type, call)                                                                        \
    ({                                                                                             \
        bool moved_home_ = home_enter();                                                           \
        type value_at_home_ = (call);                                                              \
        if (moved_home_)                                                                           \
            home_leave();                                                                          \
        value_at_home_;                                                                            \
    })

/* The same for a call without a value. */
#define AT_HOME_VOID(call)                                                                         \
    do {                                                                                           \
        bool moved_home_ = home_enter();                                                           \
        call;                                                                                      \
        if (moved_home_)                                                                           \
            home_leave();                                                                          \
    } while (0)

/*
 * Keeps the caller at home, as a system-scope thread, until as many home_unbind() calls; for what
 * the kernel ties to a kernel thread (a priority-inheriting mutex, asynchronous cancellation).
 */
void home_bind(void);

/* The caller ceases to be a user thread: it stays at home, as any other kernel thread. */
void home_end(void);
void home_unbind(void);

/* The first trip away from home, by the kernel thread's own code; returns aboard a carrier. */
void home_depart(struct uthread *self);

/* What attending to a signal or a cancellation came to. */
enum attended {
    ATTENDED_NOTHING, /* there was nothing to do: wait on */
    ATTENDED_RESTART, /* handlers ran, all of which asked for SA_RESTART */
    ATTENDED_SIGNAL,  /* handlers ran: interruptible calls fail with EINTR */
};

/*
 * Goes home for what attracted the caller: pending signals are handled. A cancellation that is due
 * is acted on when `cancellation_point` is set, and does not return then.
 */
enum attended home_attend(struct uthread *self, bool cancellation_point);

/* Acts on a cancellation that is due; at the begin of every cancellation point. */
static inline void home_cancellation_point(struct uthread *self)
{
    if (__builtin_expect(atomic_load_explicit(&self->attention, memory_order_relaxed), 0))
        home_attend(self, true);
}

#endif
