/* Topologies through hwloc: a machine made here as files, this machine, and no machine at all. */
#include "../unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/attributes.h"
#include "core/error.h"
#include "cpu/affinity.h"
#include "cpu/topology.h"
#include "dump.h"

static void write_file(const char *root, const char *path, const char *text)
{
    char whole[512];
    snprintf(whole, sizeof(whole), "%s/%s", root, path);
    for (char *slash = strchr(whole + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(whole, 0755);
        *slash = '/';
    }
    FILE *out = fopen(whole, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

/* One CPU of a dump; no siblings: offline. */
struct dump_cpu {
    const char *siblings;
    const char *core_id;
};

static void write_cpu(const char *root, unsigned cpu, const struct dump_cpu *dump)
{
    const struct {
        const char *name;
        const char *text;
    } files[] = {{"thread_siblings", dump->siblings},
                 {"core_siblings", "f"},
                 {"physical_package_id", "5\n"},
                 {"core_id", dump->core_id}};
    char path[128];
    snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/online", cpu);
    write_file(root, path, dump->siblings != NULL ? "1\n" : "0\n");
    for (size_t i = 0; dump->siblings != NULL && i < ARRAY_LENGTH(files); i++) {
        snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/topology/%s", cpu,
                 files[i].name);
        write_file(root, path, files[i].text);
    }
}

/* Four CPUs, 0 and 2 on core 0, 1 and 3 on core 1 of package 5; 3 is offline. */
static void siblings_and_offline(void **state)
{
    (void)state;
    char root[128];
    snprintf(root, sizeof(root), "%s/four", dump_folder);
    static const struct dump_cpu cpus[] = {{"5", "0"}, {"2", "1"}, {"5", "0"}, {NULL, NULL}};
    write_file(root, "sys/devices/system/cpu/possible", "0-3\n");
    write_file(root, "sys/devices/system/cpu/present", "0-3\n");
    for (unsigned cpu = 0; cpu < ARRAY_LENGTH(cpus); cpu++) {
        write_cpu(root, cpu, &cpus[cpu]);
    }
    struct topology topology;
    dump_load(root, &topology);
    static const struct topology_cpu expected[] = {
        {.id = 0, .online = true, .core = 0, .package = 5, .sibling = 0},
        {.id = 1, .online = true, .core = 1, .package = 5, .sibling = 0},
        {.id = 2, .online = true, .core = 0, .package = 5, .sibling = 1},
        {.id = 3, .core = -1, .package = -1, .sibling = -1},
    };
    assert_int_equal(topology.cpu_count, ARRAY_LENGTH(expected));
    assert_int_equal(topology.core_count, 2);
    assert_true(topology.cores_known);
    assert_false(topology.this_machine);
    for (size_t i = 0; i < ARRAY_LENGTH(expected); i++) {
        assert_int_equal(topology.cpus[i].id, expected[i].id);
        assert_int_equal(topology.cpus[i].online, expected[i].online);
        assert_int_equal(topology.cpus[i].core, expected[i].core);
        assert_int_equal(topology.cpus[i].package, expected[i].package);
        assert_int_equal(topology.cpus[i].sibling, expected[i].sibling);
    }
    assert_null(topology_find(&topology, 4));
    assert_int_equal(topology_find(&topology, 2)->id, 2);
    topology_free(&topology);
}

/* thread_siblings decide, also where hwloc takes cores apart: here by core_cpus, in real life by
 * the core_ids of AMD's modules. */
static void modules(void **state)
{
    (void)state;
    char root[128];
    snprintf(root, sizeof(root), "%s/modules", dump_folder);
    static const struct dump_cpu cpus[] = {{"3", "0"}, {"3", "1"}, {"c", "2"}, {"c", "3"}};
    static const char *const apart[] = {"1", "2", "4", "8"};
    write_file(root, "sys/devices/system/cpu/online", "0-3\n");
    for (unsigned cpu = 0; cpu < ARRAY_LENGTH(cpus); cpu++) {
        char path[64];
        snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%u/topology/core_cpus", cpu);
        write_file(root, path, apart[cpu]);
        write_cpu(root, cpu, &cpus[cpu]);
    }
    struct topology topology;
    dump_load(root, &topology);
    assert_int_equal(topology.cpu_count, 4);
    assert_int_equal(topology.core_count, 2);
    for (size_t i = 0; i < topology.cpu_count; i++) {
        assert_int_equal(topology.cpus[i].core, i / 2);
        assert_int_equal(topology.cpus[i].sibling, i % 2);
    }
    topology_free(&topology);
}

static void no_dump(void **state)
{
    (void)state;
    char empty[128];
    snprintf(empty, sizeof(empty), "%s/empty", dump_folder);
    assert_int_equal(mkdir(empty, 0755), 0);
    const char *const roots[] = {empty, "/no/such/folder"};
    for (size_t i = 0; i < ARRAY_LENGTH(roots); i++) {
        struct topology topology;
        struct diag diag = {0};
        setenv("HWLOC_FSROOT", roots[i], 1);
        assert_int_equal(topology_load(&topology, &diag), ERR_NOT_FOUND);
        unsetenv("HWLOC_FSROOT");
        assert_non_null(strstr(diag.message, roots[i]));
    }
}

static void this_machine(void **state)
{
    (void)state;
    struct topology topology;
    struct diag diag = {0};
    struct cpu_set own;
    struct cpu_set usable;
    assert_int_equal(affinity_get(0, &own, &diag), 0);
    assert_int_equal(topology_load(&topology, &diag), 0);
    topology_usable(&topology, &usable);
    assert_true(topology.this_machine);
    assert_true(cpu_set_equal(&usable, &own));
    topology_free(&topology);
    /* A narrower mask of our own narrows what is allowed, not what is online. */
    size_t online = topology.cpu_count;
    struct cpu_set narrow = {0};
    cpu_set_add(&narrow, cpu_set_next(&own, -1));
    assert_int_equal(affinity_set(0, &narrow, &diag), 0);
    assert_int_equal(topology_load(&topology, &diag), 0);
    topology_usable(&topology, &usable);
    assert_true(cpu_set_equal(&usable, &narrow));
    assert_true(topology.cpu_count >= online);
    topology_free(&topology);
    assert_int_equal(affinity_set(0, &own, &diag), 0);
}

static void dropped_cpus(void **state)
{
    (void)state;
    struct diag diag = {0};
    struct cpu_set own;
    assert_int_equal(affinity_get(0, &own, &diag), 0);
    struct cpu_set wanted = own;
    cpu_set_add(&wanted, 8191);
    assert_int_equal(affinity_set(0, &wanted, &diag), ERR_UNSUPPORTED);
    assert_non_null(strstr(diag.message, "dropped CPU 8191"));
    struct diag second = {0};
    struct cpu_set none = {0};
    cpu_set_add(&none, 8191);
    assert_int_equal(affinity_set(0, &none, &second), ERR_SYSTEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(siblings_and_offline),
        cmocka_unit_test(modules),
        cmocka_unit_test(no_dump),
        cmocka_unit_test(this_machine),
        cmocka_unit_test(dropped_cpus),
    };
    return cmocka_run_group_tests(tests, dump_set_up, dump_tear_down);
}
