#include "cpu/topology.h"

#include <stdlib.h>

void topology_free(struct topology *topology)
{
    free(topology->cpus);
    *topology = (struct topology){0};
}

static int compare_id(const void *key, const void *element)
{
    int id = *(const int *)key;
    const struct topology_cpu *cpu = element;
    return (id > cpu->id) - (id < cpu->id);
}

const struct topology_cpu *topology_find(const struct topology *topology, int id)
{
    if (topology->cpu_count == 0) {
        return NULL;
    }
    return bsearch(&id, topology->cpus, topology->cpu_count, sizeof(*topology->cpus), compare_id);
}

bool topology_cpu_usable(const struct topology_cpu *cpu)
{
    return cpu->online && cpu->allowed;
}

void topology_usable(const struct topology *topology, struct cpu_set *usable)
{
    *usable = (struct cpu_set){0};
    for (size_t i = 0; i < topology->cpu_count; i++) {
        if (topology_cpu_usable(&topology->cpus[i])) {
            cpu_set_add(usable, topology->cpus[i].id);
        }
    }
}
