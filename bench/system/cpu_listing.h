/* The topology for people and for programs. Pure but for writing to the stream. */
#ifndef BENCH_SYSTEM_CPU_LISTING_H
#define BENCH_SYSTEM_CPU_LISTING_H

#include <jansson.h>
#include <stdio.h>

#include "core/attributes.h"
#include "cpu/topology.h"

/* Socket by socket and core by core, as psrinfo -vp does; then what cannot be used, and why. */
void cpu_listing_print(const struct topology *topology, FILE *out);

/*
 * {"this_machine","cores_known","cores","online","offline","allowed","usable","sockets":[{"package",
 *  "cores","cpus"}],"cpus":[{"id","online","allowed","core","package","node","sibling"}]}; what is
 * unknown is null. A new reference, or NULL when memory is short.
 */
json_t *cpu_listing_json(const struct topology *topology) MUST_CHECK;

#endif
