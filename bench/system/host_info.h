/* The "machine" of environment.json: what a result was made on. */
#ifndef BENCH_SYSTEM_HOST_INFO_H
#define BENCH_SYSTEM_HOST_INFO_H

#include <jansson.h>

#include "core/attributes.h"
#include "core/file.h"
#include "cpu/topology.h"

/*
 * Reads /proc and /sys below `root` ("" for this machine's own). Everything that decides on a
 * result and can be read without privileges; the host's name and addresses are left out. What
 * cannot be read is null. A new reference, or NULL when memory is short.
 */
json_t *host_info_json(const char *root, const struct topology *topology) MUST_CHECK;

/*
 * The value of the first "NAME : value" line of /proc/cpuinfo or /proc/meminfo, as a JSON string;
 * JSON null when there is none. Pure but for the allocation.
 */
json_t *host_info_field(const char *text, const char *name) MUST_CHECK;

#endif
