/*
 * SIGINT, SIGTERM and SIGHUP: first an end on the spot with the right exit status, later a wish to
 * stop that loops ask for.
 * The state is the process's own (signal dispositions are), hence global.
 */
#ifndef BENCH_SYSTEM_INTERRUPT_H
#define BENCH_SYSTEM_INTERRUPT_H

#include <stdbool.h>

#include "core/attributes.h"
#include "core/diag.h"

/*
 * Once, first of all, before other threads start. From now on one of them ends the process with a
 * line and STATUS_INTERRUPTED, wherever it may be waiting. SIGHUP and SIGINT stay ignored where
 * they were.
 */
int interrupt_install(struct diag *diag) MUST_CHECK;

/* When there is something to lose: from now on one is noted, for those who ask below. */
void interrupt_defer(void);

/* Whether one has come since interrupt_defer(). Any thread, async-signal-safe. */
bool interrupt_pending(void);

/* Readable from the first signal on, for poll(2); -1 before interrupt_install(). */
int interrupt_fd(void);

#endif
