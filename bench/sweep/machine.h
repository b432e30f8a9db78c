/* The machine that a sweep runs on, as far as it may explain its figures. */
#ifndef SWEEP_MACHINE_H
#define SWEEP_MACHINE_H

#include <jansson.h>

#include "core/attributes.h"
#include "cpu/topology.h"

/*
 * Kernel, CPU model and microcode, counts of sockets, cores and CPUs, governor, turbo, clock
 * source, mitigations, memory, hypervisor, and the limits that we run under. What the system does
 * not tell is null. Reads /proc and /sys. A new reference, or NULL when memory is short.
 */
json_t *machine_json(const struct topology *topology) MUST_CHECK;

#endif
