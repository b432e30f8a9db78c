/*
 * The monitor: a kernel thread that looks at the virtual CPUs every few milliseconds while any of
 * them is busy. It substitutes a carrier that the kernel keeps asleep, preempts a user thread whose
 * time slice is over while others wait, and looks after timers and descriptors when nobody does.
 */
#ifndef PSCOPE_MONITOR_H
#define PSCOPE_MONITOR_H

#include <stdbool.h>

/* Starts it; time slices of `quantum_us`, 0 for none. False when the system refuses. */
bool monitor_start(unsigned quantum_us);

/* A carrier has something to do: the monitor must be awake. Cheap when it is. */
void monitor_busy(void);

/* Forgets all: in the child of a fork. */
void monitor_forget(void);

#endif
