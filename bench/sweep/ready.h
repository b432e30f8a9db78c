/* Waiting for a server that was just started. */
#ifndef SWEEP_READY_H
#define SWEEP_READY_H

#include <stdint.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "system/process.h"

/*
 * Asks TARGET_ADDRESS:port for the SOA record of `origin` over UDP until the right server answers.
 * 0; ERR_TARGET when the process ends before, when another server answers, or at the end of
 * `timeout_us`; ERR_INTERRUPTED as soon as a signal asks to stop; ERR_SYSTEM. From main's thread.
 */
int ready_wait(const struct process *process, unsigned port, const char *origin,
               uint64_t timeout_us, struct diag *diag) MUST_CHECK;

#endif
