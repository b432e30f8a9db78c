/* The CPUs that the kernel lets a thread run on. */
#ifndef CPU_AFFINITY_H
#define CPU_AFFINITY_H

#include <sys/types.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "cpu/cpu_set.h"

/*
 * Sets the affinity mask of thread `tid` (0: the caller) and reads it back: the kernel drops CPUs
 * that are offline or outside the cpuset without a word, which is an error here. 0, ERR_SYSTEM, or
 * ERR_UNSUPPORTED when CPUs were dropped (the mask that the kernel chose stays). Allocates
 * nothing, so that a child may call it between fork and exec.
 */
int affinity_set(pid_t tid, const struct cpu_set *cpus, struct diag *diag) MUST_CHECK;

/* Reads the affinity mask of thread `tid` (0: the caller). 0 or ERR_SYSTEM. */
int affinity_get(pid_t tid, struct cpu_set *cpus, struct diag *diag) MUST_CHECK;

#endif
