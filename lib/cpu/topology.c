#include "cpu/topology.h"

#include <stdlib.h>

#include "core/check.h"

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

void topology_online(const struct topology *topology, struct cpu_set *online)
{
    *online = (struct cpu_set){0};
    for (size_t i = 0; i < topology->cpu_count; i++) {
        if (topology->cpus[i].online) {
            cpu_set_add(online, topology->cpus[i].id);
        }
    }
}

struct cpu_set topology_take_socket(const struct topology *topology, struct cpu_set *rest)
{
    struct cpu_set socket = {0};
    int first = cpu_set_next(rest, -1);
    if (first < 0) {
        return socket;
    }
    const struct topology_cpu *head = topology_find(topology, first);
    CHECK(head != NULL);
    for (size_t i = 0; i < topology->cpu_count; i++) {
        const struct topology_cpu *cpu = &topology->cpus[i];
        if (cpu->package == head->package && cpu_set_has(rest, cpu->id)) {
            cpu_set_add(&socket, cpu->id);
        }
    }
    cpu_set_subtract(rest, &socket);
    return socket;
}
