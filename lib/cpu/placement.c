#include "cpu/placement.h"

#include <stdbool.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"

/* Names, indexed by the enums. */
static const char *const policy_names[] = {"any", "same-socket", "split-sockets", "socket-off",
                                           "explicit"};
static const char *const smt_names[] = {"on", "mask", "offline"};
static const char *const confine_names[] = {"none", "vcpus"};

static int find_name(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], name) == 0) {
            return (int)i;
        }
    }
    return ERR_NOT_FOUND;
}

int placement_policy_parse(const char *name, enum placement_policy *policy)
{
    int found = find_name(policy_names, PLACEMENT_EXPLICIT, name);
    if (found < 0) {
        return found;
    }
    *policy = (enum placement_policy)found;
    return 0;
}

int smt_policy_parse(const char *name, enum smt_policy *smt)
{
    int found = find_name(smt_names, ARRAY_LENGTH(smt_names), name);
    if (found < 0) {
        return found;
    }
    *smt = (enum smt_policy)found;
    return 0;
}

int confine_policy_parse(const char *name, enum confine_policy *confine)
{
    int found = find_name(confine_names, ARRAY_LENGTH(confine_names), name);
    if (found < 0) {
        return found;
    }
    *confine = (enum confine_policy)found;
    return 0;
}

const char *placement_policy_name(enum placement_policy policy)
{
    return policy_names[policy];
}

const char *smt_policy_name(enum smt_policy smt)
{
    return smt_names[smt];
}

const char *confine_policy_name(enum confine_policy confine)
{
    return confine_names[confine];
}

const char *placement_flag_name(enum placement_flag flag)
{
    switch (flag) {
    case PLACEMENT_SHARED_CORE:
        return "shared-core";
    case PLACEMENT_CORES_UNKNOWN:
        return "cores-unknown";
    case PLACEMENT_SOCKETS_UNKNOWN:
        return "sockets-unknown";
    case PLACEMENT_SOCKET_PER_CPU:
        return "socket-per-cpu";
    }
    return "unknown";
}

/* The CPU of core `core` in `pool` that has `rank` others of it before, or -1. */
static int nth_of_core(const struct topology *topology, const struct cpu_set *pool, size_t core,
                       size_t rank)
{
    for (size_t i = 0; i < topology->cpu_count; i++) {
        const struct topology_cpu *cpu = &topology->cpus[i];
        if (cpu->core == (int)core && cpu_set_has(pool, cpu->id) && rank-- == 0) {
            return cpu->id;
        }
    }
    return -1;
}

/* Up to `wanted` CPUs of the pool: one of each core from the start, then second siblings, ... */
static struct cpu_set pick(const struct topology *topology, const struct cpu_set *pool,
                           size_t wanted)
{
    struct cpu_set picked = {0};
    size_t limit = cpu_set_count(pool);
    size_t count = 0;
    wanted = wanted < limit ? wanted : limit;
    for (size_t rank = 0; count < wanted; rank++) {
        for (size_t core = 0; core < topology->core_count && count < wanted; core++) {
            int cpu = nth_of_core(topology, pool, core, rank);
            if (cpu >= 0) {
                cpu_set_add(&picked, cpu);
                count++;
            }
        }
    }
    return picked;
}

static struct cpu_set core_cpus(const struct topology *topology, const struct cpu_set *pool,
                                size_t core)
{
    struct cpu_set cpus = {0};
    int cpu = -1;
    for (size_t rank = 0; (cpu = nth_of_core(topology, pool, core, rank)) >= 0; rank++) {
        cpu_set_add(&cpus, cpu);
    }
    return cpus;
}

static size_t core_count(const struct topology *topology, const struct cpu_set *pool)
{
    size_t count = 0;
    for (size_t core = 0; core < topology->core_count; core++) {
        count += nth_of_core(topology, pool, core, 0) >= 0;
    }
    return count;
}

/* All CPUs of the pool that belong to its last `wanted` cores. */
static struct cpu_set last_cores(const struct topology *topology, const struct cpu_set *pool,
                                 size_t wanted)
{
    struct cpu_set cpus = {0};
    for (size_t core = topology->core_count; core > 0 && wanted > 0; core--) {
        struct cpu_set siblings = core_cpus(topology, pool, core - 1);
        wanted -= !cpu_set_is_empty(&siblings);
        cpu_set_unite(&cpus, &siblings);
    }
    return cpus;
}

/* The socket with the most CPUs in the pool, the first one met among equals; empty for no pool. */
static struct cpu_set largest_socket(const struct topology *topology, const struct cpu_set *pool)
{
    struct cpu_set largest = {0};
    struct cpu_set rest = *pool;
    while (!cpu_set_is_empty(&rest)) {
        struct cpu_set socket = topology_take_socket(topology, &rest);
        if (cpu_set_count(&socket) > cpu_set_count(&largest)) {
            largest = socket;
        }
    }
    return largest;
}

/* What the topology itself has to be warned of: about the whole machine, not our share of it. */
static unsigned topology_flags(const struct topology *topology)
{
    struct cpu_set online;
    topology_online(topology, &online);
    struct cpu_set rest = online;
    unsigned flags = topology->cores_known ? 0 : PLACEMENT_CORES_UNKNOWN;
    size_t sockets = 0;
    for (; !cpu_set_is_empty(&rest); sockets++) {
        struct cpu_set socket = topology_take_socket(topology, &rest);
        int first = cpu_set_next(&socket, -1);
        if (topology_find(topology, first)->package == TOPOLOGY_UNKNOWN) {
            flags |= PLACEMENT_SOCKETS_UNKNOWN;
        }
    }
    if (sockets > 1 && sockets == core_count(topology, &online)) {
        flags |= PLACEMENT_SOCKET_PER_CPU;
    }
    return flags;
}

static bool shares_core(const struct topology *topology, const struct placement *placement)
{
    for (size_t core = 0; core < topology->core_count; core++) {
        if (nth_of_core(topology, &placement->server, core, 0) >= 0 &&
            nth_of_core(topology, &placement->client, core, 0) >= 0) {
            return true;
        }
    }
    return false;
}

/* `where` completes "needs 4 CPUs": " on one socket"; `who` has them: "this machine". */
static int check_enough(const struct placement_request *request, const struct cpu_set *pool,
                        const char *where, const char *who, struct diag *diag)
{
    size_t count = cpu_set_count(pool);
    if (count >= request->vcpus) {
        return 0;
    }
    return diag_fail(diag, ERR_UNSUPPORTED, NULL, 0, "needs %u CPUs%s, %s has %zu%s",
                     request->vcpus, where, who, count,
                     request->smt == SMT_MASK ? " (smt: mask counts one of each core)" : "");
}

static int place_any(const struct placement_request *request, const struct cpu_set *pool,
                     struct placement *placement, struct diag *diag)
{
    placement->server = *pool;
    placement->client = *pool;
    return check_enough(request, pool, "", "this machine", diag);
}

static int place_same_socket(const struct topology *topology,
                             const struct placement_request *request, const struct cpu_set *pool,
                             struct placement *placement, struct diag *diag)
{
    bool one_socket = (placement->flags & PLACEMENT_SOCKET_PER_CPU) != 0;
    struct cpu_set socket = one_socket ? *pool : largest_socket(topology, pool);
    int status = cpu_set_equal(&socket, pool)
                     ? check_enough(request, pool, "", "this machine", diag)
                     : check_enough(request, &socket, " on one socket", "the largest", diag);
    if (status != 0) {
        return status;
    }
    placement->client = last_cores(topology, &socket, request->client_threads);
    placement->server = socket;
    cpu_set_subtract(&placement->server, &placement->client);
    size_t left = cpu_set_count(&placement->server);
    if (left < request->vcpus) {
        struct cpu_set shared = pick(topology, &placement->client, request->vcpus - left);
        cpu_set_unite(&placement->server, &shared);
    }
    return 0;
}

static int place_split_sockets(const struct topology *topology,
                               const struct placement_request *request, const struct cpu_set *pool,
                               struct placement *placement, struct diag *diag)
{
    placement->server = largest_socket(topology, pool);
    struct cpu_set rest = *pool;
    cpu_set_subtract(&rest, &placement->server);
    if (cpu_set_is_empty(&rest)) {
        return diag_fail(diag, ERR_UNSUPPORTED, NULL, 0,
                         "split-sockets needs two sockets, this machine has usable CPUs on one%s",
                         placement->flags & PLACEMENT_SOCKETS_UNKNOWN
                             ? " (it does not tell its sockets apart)"
                             : "");
    }
    struct cpu_set other = largest_socket(topology, &rest);
    placement->client = last_cores(topology, &other, request->client_threads);
    return check_enough(request, &placement->server, " on one socket", "the largest", diag);
}

/* One side's own mask: every CPU must be usable, then siblings are masked. */
static int explicit_side(const struct cpu_set *wanted, const struct cpu_set *usable,
                         const struct cpu_set *pool, struct cpu_set *result, struct diag *diag)
{
    char text[128];
    struct cpu_set missing = *wanted;
    cpu_set_subtract(&missing, usable);
    if (!cpu_set_is_empty(&missing)) {
        char usable_text[128];
        cpu_set_format(&missing, text, sizeof(text));
        cpu_set_format(usable, usable_text, sizeof(usable_text));
        return diag_fail(diag, ERR_UNSUPPORTED, NULL, 0,
                         "CPU %s is not there, offline or not allowed; usable are %s", text,
                         usable_text);
    }
    *result = *wanted;
    cpu_set_intersect(result, pool);
    if (cpu_set_is_empty(result)) {
        cpu_set_format(wanted, text, sizeof(text));
        return diag_fail(diag, ERR_UNSUPPORTED, NULL, 0, "smt: mask leaves none of the CPUs \"%s\"",
                         text);
    }
    return 0;
}

static int place_explicit(const struct placement_request *request, const struct cpu_set *usable,
                          const struct cpu_set *pool, struct placement *placement,
                          struct diag *diag)
{
    int status = explicit_side(&request->server, usable, pool, &placement->server, diag);
    if (status == 0) {
        status = explicit_side(&request->client, usable, pool, &placement->client, diag);
    }
    if (status == 0) {
        status = check_enough(request, &placement->server, "", "the server's mask", diag);
    }
    return status;
}

static int place(const struct topology *topology, const struct placement_request *request,
                 struct placement *placement, struct diag *diag)
{
    struct cpu_set usable;
    topology_usable(topology, &usable);
    if (cpu_set_is_empty(&usable)) {
        return diag_fail(diag, ERR_UNSUPPORTED, NULL, 0, "this machine shows no usable CPU");
    }
    struct cpu_set pool = usable;
    if (request->smt == SMT_MASK) {
        pool = pick(topology, &usable, core_count(topology, &usable));
    }
    switch (request->policy) {
    case PLACEMENT_ANY:
        return place_any(request, &pool, placement, diag);
    case PLACEMENT_SAME_SOCKET:
        return place_same_socket(topology, request, &pool, placement, diag);
    case PLACEMENT_SPLIT_SOCKETS:
        return place_split_sockets(topology, request, &pool, placement, diag);
    case PLACEMENT_EXPLICIT:
        return place_explicit(request, &usable, &pool, placement, diag);
    case PLACEMENT_SOCKET_OFF:
        break;
    }
    return diag_fail(diag, ERR_UNSUPPORTED, NULL, 0,
                     "socket-off would take a socket's CPUs offline for the whole machine, root's "
                     "right and not offered here; same-socket uses one socket by affinity");
}

int placement_compute(const struct topology *topology, const struct placement_request *request,
                      struct placement *placement, struct diag *diag)
{
    CHECK(request->vcpus >= 1 && request->client_threads >= 1);
    *placement = (struct placement){.flags = topology_flags(topology)};
    if (request->smt == SMT_OFFLINE) {
        return diag_fail(diag, ERR_UNSUPPORTED, NULL, 0,
                         "smt: offline would take siblings offline for the whole machine, root's "
                         "right and not offered here; smt: mask leaves them out by affinity");
    }
    int status = place(topology, request, placement, diag);
    if (status != 0) {
        return status;
    }
    if (request->confine == CONFINE_VCPUS) {
        placement->server = pick(topology, &placement->server, request->vcpus);
    }
    if (shares_core(topology, placement)) {
        placement->flags |= PLACEMENT_SHARED_CORE;
    }
    return 0;
}
