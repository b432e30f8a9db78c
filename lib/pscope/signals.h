/*
 * Process-directed signals under process scope. Carriers and parked homes block every asynchronous
 * signal, so the kernel leaves them pending for the process. One kernel thread here is told of
 * them, and attracts a user thread that has not blocked the signal: it looks up from its wait,
 * goes home, and takes the signal there from the kernel, with its own mask, its own thread-local
 * storage and the program's own handler.
 */
#ifndef PSCOPE_SIGNALS_H
#define PSCOPE_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "pscope/sys.h"

/* glibc's own signals: cancellation, and set*id in all threads. */
#define SIGNAL_CANCEL 32
#define SIGNAL_SETXID 33

/* What no thread's mask contains. */
#define SIGNALS_NEVER_BLOCKED                                                                      \
    (SIGNAL_BIT(SIGKILL) | SIGNAL_BIT(SIGSTOP) | SIGNAL_BIT(SIGNAL_CANCEL) |                       \
     SIGNAL_BIT(SIGNAL_SETXID))

/* The mask of the calling user thread, in a handler that of the handler. */
uint64_t signals_own_mask(void);

/* Starts the signal thread; false when the system refuses. */
bool signals_start(void);

/* A user thread with this mask appeared, or a mask changed to this. Any thread. */
void signals_mask_changed(uint64_t mask);

/* Makes the signal thread look at masks and credentials again. Any thread. */
void signals_look_again(void);

/* Forgets all: in the child of a fork. */
void signals_forget(void);

#endif
