/*
 * What the kernel's own files say of one CPU, for the two questions in which hwloc interprets:
 * which CPUs are siblings, and on which package it is. Any thread.
 */
#ifndef CPU_SYSFS_CPU_H
#define CPU_SYSFS_CPU_H

#include "core/attributes.h"
#include "cpu/cpu_set.h"

/*
 * Reads topology/thread_siblings of a CPU below `root`, "" for this machine. 0; ERR_NOT_FOUND when
 * there is no such file, ERR_SYNTAX when it holds no mask.
 */
int sysfs_cpu_siblings(const char *root, int cpu, struct cpu_set *siblings) MUST_CHECK;

/* Reads topology/physical_package_id; the same errors. -1 is what the kernel says for unknown. */
int sysfs_cpu_package(const char *root, int cpu, int *package) MUST_CHECK;

#endif
