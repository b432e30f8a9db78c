/*
 * The machine's CPUs as plain data: cores, hardware threads ("siblings"), packages ("sockets"),
 * NUMA nodes, what is online and what this process may use. A core is a set of CPUs that the
 * kernel lists as each other's thread_siblings. Found through hwloc once; from then on
 * a value that is only read, so that any thread may look at it.
 */
#ifndef CPU_TOPOLOGY_H
#define CPU_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "cpu/cpu_set.h"

#define TOPOLOGY_UNKNOWN (-1)

struct topology_cpu {
    int id;       /* the kernel's number, as in cpu7 */
    bool online;  /* the kernel schedules on it */
    bool allowed; /* by cgroup and, on this machine, by our own affinity mask */
    int core;     /* dense from 0, neighbours in caches beside each other; unknown when offline */
    int package;  /* physical_package_id; unknown when offline or when the kernel does not say */
    int node;     /* NUMA node; unknown when offline */
    int sibling;  /* rank among the online CPUs of its core, by number; 0 is the core's first */
};

struct topology {
    struct topology_cpu *cpus; /* ascending ids; owned */
    size_t cpu_count;
    size_t core_count;
    bool cores_known;  /* false: the kernel shows no siblings, each CPU stands for a core */
    bool this_machine; /* false: a dump that HWLOC_FSROOT or HWLOC_XMLFILE names */
};

/*
 * Asks hwloc, whose environment is honoured: HWLOC_FSROOT reads the dump of another machine, for
 * which our own affinity mask means nothing unless HWLOC_THISSYSTEM=1 says that it is this one.
 * 0 and the caller owns `topology`; ERR_NOT_FOUND for a dump that is none, ERR_UNSUPPORTED for CPU
 * numbers from CPU_SET_LIMIT on, ERR_SYSTEM or ERR_MEMORY.
 */
int topology_load(struct topology *topology, struct diag *diag) MUST_CHECK;

void topology_free(struct topology *topology);

/* The CPU with that number, or NULL. */
const struct topology_cpu *topology_find(const struct topology *topology, int id);

/* Online and allowed: what a thread of ours can be placed on. */
bool topology_cpu_usable(const struct topology_cpu *cpu);
void topology_usable(const struct topology *topology, struct cpu_set *usable);
void topology_online(const struct topology *topology, struct cpu_set *online);

/*
 * Takes the socket of the lowest CPU out of `rest`, whose CPUs must be of the topology: all that
 * have its package, known or not. Returns what was taken; empty when `rest` is. To walk sockets:
 *     while (!cpu_set_is_empty(&rest)) { struct cpu_set socket = topology_take_socket(t, &rest); }
 */
struct cpu_set topology_take_socket(const struct topology *topology, struct cpu_set *rest);

#endif
