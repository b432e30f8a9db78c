/*
 * Whether both sides of a run may run where the setup has them, no more and no less: masks are read
 * back, because a container, a manager or the program itself may change them. Pure, any thread.
 */
#ifndef SWEEP_MASKS_H
#define SWEEP_MASKS_H

#include <jansson.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "cpu/cpu_set.h"
#include "system/proc_sample.h"

/* Every thread of the target, as the kernel has it; `setup` is for the diag. 0 or ERR_UNSUPPORTED.
 */
int masks_check_target(const struct proc_sample *sample, const struct cpu_set *asked,
                       const char *setup, struct diag *diag) MUST_CHECK NONNULL_ALL;

/* The same for the load tool, by what its result (NULL: none) says of its own threads. */
int masks_check_load(const json_t *load, const struct cpu_set *asked, const char *setup,
                     struct diag *diag) MUST_CHECK;

#endif
