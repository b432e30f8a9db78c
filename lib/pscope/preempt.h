/*
 * Preemption: a signal to a carrier makes its user thread yield where it stands, or take the signal
 * that is pending for it, if it stands in
 * the program's own code. In libc, the loader, the vDSO or this library it may hold a lock that is
 * hidden from us; then nothing happens, and the monitor tries again at its next tick.
 */
#ifndef PSCOPE_PREEMPT_H
#define PSCOPE_PREEMPT_H

#include <stdint.h>

struct carrier;

/* Reserves the signal and learns where not to interrupt. 0 when the system refuses. */
uint64_t preempt_start(void);

/* The signal's bit, 0 before preempt_start(): carriers leave it unblocked. */
uint64_t preempt_signal(void);

/* Sends the signal to a carrier. */
void preempt_kick(struct carrier *carrier);

#endif
