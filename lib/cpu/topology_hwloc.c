#include <hwloc.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "cpu/affinity.h"
#include "cpu/sysfs_cpu.h"
#include "cpu/topology.h"

/*
 * hwloc also asks the processor that it runs on (cpuid), which says nothing about the machine of a
 * dump, unless the dump brings the processor's answers along.
 */
static void leave_own_processor_out(hwloc_topology_t topology)
{
    if (getenv("HWLOC_FSROOT") != NULL && getenv("HWLOC_THISSYSTEM") == NULL &&
        getenv("HWLOC_CPUID_PATH") == NULL) {
        hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
    }
}

/*
 * Loads what we look at and no more: without the inner caches and devices hwloc reads a fraction of
 * /sys. Groups and outer caches are what cores are ordered by, and a NUMA node inside a package
 * hangs on a group. CPUs outside the cgroup are kept, so that the listing can say why they are not
 * used.
 */
static int load(hwloc_topology_t *topology, struct diag *diag)
{
    if (hwloc_topology_init(topology) != 0) {
        return diag_fail(diag, ERR_MEMORY, NULL, 0, "no memory for the CPU topology");
    }
    hwloc_topology_set_all_types_filter(*topology, HWLOC_TYPE_FILTER_KEEP_NONE);
    hwloc_topology_set_type_filter(*topology, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
    hwloc_topology_set_type_filter(*topology, HWLOC_OBJ_PACKAGE, HWLOC_TYPE_FILTER_KEEP_ALL);
    hwloc_topology_set_type_filter(*topology, HWLOC_OBJ_L3CACHE, HWLOC_TYPE_FILTER_KEEP_ALL);
    hwloc_topology_set_type_filter(*topology, HWLOC_OBJ_GROUP, HWLOC_TYPE_FILTER_KEEP_STRUCTURE);
    hwloc_topology_set_flags(*topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    leave_own_processor_out(*topology);
    if (hwloc_topology_load(*topology) != 0) {
        hwloc_topology_destroy(*topology);
        return diag_fail_errno(diag, NULL, "hwloc cannot read the CPU topology");
    }
    return 0;
}

/* Whether what hwloc tells comes from Linux's files, below $HWLOC_FSROOT or our own. */
static bool reads_linux_files(hwloc_topology_t topology)
{
    hwloc_obj_t root = hwloc_get_root_obj(topology);
    for (unsigned i = 0; i < root->infos_count; i++) {
        const struct hwloc_info_s *info = &root->infos[i];
        if (strcmp(info->name, "Backend") == 0 && strcmp(info->value, "Linux") == 0) {
            return true;
        }
    }
    return false;
}

/* When the folder that HWLOC_FSROOT names is not a dump, hwloc describes this machine instead. */
static int check_source(hwloc_topology_t topology, struct diag *diag)
{
    const char *dump = getenv("HWLOC_FSROOT");
    if (dump == NULL || reads_linux_files(topology)) {
        return 0;
    }
    return diag_fail(diag, ERR_NOT_FOUND, dump, 0,
                     "no CPUs below sys/devices/system here; HWLOC_FSROOT must name the root of a "
                     "saved /sys and /proc");
}

/* hwloc writes "unknown" as all ones; a physical id above INT_MAX is no more use to anybody. */
static int known_id(unsigned os_index)
{
    return os_index <= INT32_MAX ? (int)os_index : TOPOLOGY_UNKNOWN;
}

/* hwloc has an object for each CPU that is online. */
static void describe_online(hwloc_topology_t source, hwloc_obj_t pu, struct topology *topology)
{
    const struct topology_cpu *found = topology_find(topology, (int)pu->os_index);
    CHECK(found != NULL);
    struct topology_cpu *cpu = &topology->cpus[found - topology->cpus];
    cpu->online = true;
    hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(source, HWLOC_OBJ_CORE, pu);
    hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(source, HWLOC_OBJ_PACKAGE, pu);
    if (core != NULL) {
        cpu->core = (int)core->logical_index;
    } else {
        topology->cores_known = false;
    }
    if (package != NULL) {
        cpu->package = known_id(package->os_index);
    }
    if (pu->nodeset != NULL) {
        cpu->node = hwloc_bitmap_first(pu->nodeset);
    }
}

/* CPUs whose siblings the kernel does not show stand for a core each, behind the known ones. */
static void number_unknown_cores(struct topology *topology)
{
    for (size_t i = 0; i < topology->cpu_count; i++) {
        struct topology_cpu *cpu = &topology->cpus[i];
        if (cpu->online && cpu->core == TOPOLOGY_UNKNOWN) {
            cpu->core = (int)topology->core_count++;
        }
    }
}

/* The first sibling of an online CPU that is online, too, by the kernel's word; itself if unsaid.
 */
static const struct topology_cpu *first_sibling(const struct topology *topology,
                                                const struct topology_cpu *cpu, const char *root)
{
    struct cpu_set siblings;
    if (sysfs_cpu_siblings(root, cpu->id, &siblings) != 0) {
        return cpu;
    }
    for (int id = cpu_set_next(&siblings, -1); id >= 0 && id < cpu->id;
         id = cpu_set_next(&siblings, id)) {
        const struct topology_cpu *sibling = topology_find(topology, id);
        if (sibling != NULL && sibling->online) {
            return sibling;
        }
    }
    return cpu;
}

/*
 * Where the kernel's word differs from hwloc's, the kernel's counts, since it is what smt/control
 * acts upon: hwloc splits the modules of some AMD processors into cores, and forgets packages that
 * contradict each other.
 */
static void believe_kernel(struct topology *topology, const char *root)
{
    for (size_t i = 0; i < topology->cpu_count; i++) {
        struct topology_cpu *cpu = &topology->cpus[i];
        if (!cpu->online) {
            continue;
        }
        cpu->core = first_sibling(topology, cpu, root)->core;
        if (cpu->package == TOPOLOGY_UNKNOWN &&
            (sysfs_cpu_package(root, cpu->id, &cpu->package) != 0 || cpu->package < 0)) {
            cpu->package = TOPOLOGY_UNKNOWN;
        }
    }
}

/* Cores get numbers without gaps again, in the same order; siblings their ranks. */
static int number_siblings(struct topology *topology, struct diag *diag)
{
    size_t limit = topology->core_count;
    int *members = calloc(2 * limit + 1, sizeof(*members));
    if (members == NULL) {
        return diag_fail(diag, ERR_MEMORY, NULL, 0, "no memory for the CPU topology");
    }
    int *number = members + limit;
    for (size_t i = 0; i < topology->cpu_count; i++) {
        struct topology_cpu *cpu = &topology->cpus[i];
        if (cpu->online) {
            cpu->sibling = members[cpu->core]++;
        }
    }
    topology->core_count = 0;
    for (size_t core = 0; core < limit; core++) {
        number[core] = (int)topology->core_count;
        topology->core_count += members[core] > 0;
    }
    for (size_t i = 0; i < topology->cpu_count; i++) {
        if (topology->cpus[i].online) {
            topology->cpus[i].core = number[topology->cpus[i].core];
        }
    }
    free(members);
    return 0;
}

static int describe(hwloc_topology_t source, struct topology *topology, struct diag *diag)
{
    hwloc_const_bitmap_t present = hwloc_topology_get_complete_cpuset(source);
    hwloc_const_bitmap_t allowed = hwloc_topology_get_allowed_cpuset(source);
    int weight = present != NULL ? hwloc_bitmap_weight(present) : 0;
    if (weight <= 0 || hwloc_bitmap_last(present) >= CPU_SET_LIMIT) {
        return diag_fail(diag, ERR_UNSUPPORTED, NULL, 0,
                         "hwloc shows no CPU, or one from number %d on", CPU_SET_LIMIT);
    }
    topology->cpus = calloc((size_t)weight, sizeof(*topology->cpus));
    if (topology->cpus == NULL) {
        return diag_fail(diag, ERR_MEMORY, NULL, 0, "no memory for the CPU topology");
    }
    topology->this_machine = hwloc_topology_is_thissystem(source) != 0;
    topology->cores_known = true;
    topology->core_count = (size_t)hwloc_get_nbobjs_by_type(source, HWLOC_OBJ_CORE);
    for (int id = hwloc_bitmap_first(present); id >= 0; id = hwloc_bitmap_next(present, id)) {
        struct topology_cpu *cpu = &topology->cpus[topology->cpu_count++];
        *cpu = (struct topology_cpu){.id = id,
                                     .allowed = hwloc_bitmap_isset(allowed, (unsigned)id) != 0,
                                     .core = TOPOLOGY_UNKNOWN,
                                     .package = TOPOLOGY_UNKNOWN,
                                     .node = TOPOLOGY_UNKNOWN,
                                     .sibling = TOPOLOGY_UNKNOWN};
    }
    hwloc_obj_t pu = NULL;
    while ((pu = hwloc_get_next_obj_by_type(source, HWLOC_OBJ_PU, pu)) != NULL) {
        describe_online(source, pu, topology);
    }
    number_unknown_cores(topology);
    if (reads_linux_files(source)) {
        const char *dump = getenv("HWLOC_FSROOT");
        believe_kernel(topology, dump != NULL ? dump : "");
    }
    return number_siblings(topology, diag);
}

/* On this machine a CPU is allowed only if our own affinity mask has it, too. */
static int apply_own_mask(struct topology *topology, struct diag *diag)
{
    struct cpu_set own;
    int status = affinity_get(0, &own, diag);
    if (status != 0) {
        return status;
    }
    for (size_t i = 0; i < topology->cpu_count; i++) {
        topology->cpus[i].allowed =
            topology->cpus[i].allowed && cpu_set_has(&own, topology->cpus[i].id);
    }
    return 0;
}

int topology_load(struct topology *topology, struct diag *diag)
{
    *topology = (struct topology){0};
    hwloc_topology_t source;
    int status = load(&source, diag);
    if (status != 0) {
        return status;
    }
    status = check_source(source, diag);
    if (status == 0) {
        status = describe(source, topology, diag);
    }
    hwloc_topology_destroy(source);
    if (status == 0 && topology->this_machine) {
        status = apply_own_mask(topology, diag);
    }
    if (status != 0) {
        topology_free(topology);
    }
    return status;
}
