/*
 * SIGINT, SIGTERM and SIGHUP as a wish to stop that loops ask for, instead of death on the spot.
 * The state is the process's own (signal dispositions are), hence global.
 */
#ifndef BENCH_SYSTEM_INTERRUPT_H
#define BENCH_SYSTEM_INTERRUPT_H

#include <stdbool.h>

#include "core/attributes.h"
#include "core/diag.h"

/* Once, before other threads start. SIGHUP and SIGINT stay ignored where they were. */
int interrupt_install(struct diag *diag) MUST_CHECK;

/* Whether one has come since interrupt_install(). Any thread, async-signal-safe. */
bool interrupt_pending(void);

/* Readable from the first signal on, for poll(2); -1 before interrupt_install(). */
int interrupt_fd(void);

#endif
