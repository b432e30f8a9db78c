/*
 * The public dumps of other machines that may lie beside the source tree (../shared/realdata/sysfs,
 * or $DNSCOPE_SYSFS_DUMPS), each with the truth that was read from its files.
 */
#include "../unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "cpu/topology.h"
#include "dump.h"

/* What hwloc does not look at for cores, packages and nodes: nine files of ten. */
#define UNUSED_PARTS                                                                               \
    "--exclude='*/cache' --exclude='*/cpufreq' --exclude='*/cpuidle' --exclude='*/sys/bus' "       \
    "--exclude='*/sys/class' --exclude='*/sys/devices/pci*' --exclude='*/power' "                  \
    "--exclude='*/cpuid' --exclude='*/hugepages*' --exclude='*/node*/cpu[0-9]*' "                  \
    "--exclude='*/cpu[0-9]*/node[0-9]*' --exclude='*/acpi_cppc' --exclude='*/memory[0-9]*'"

static struct cpu_set set_of(const char *text)
{
    struct cpu_set set = {0};
    struct diag diag = {0};
    if (text != NULL && *text != '\0') {
        assert_int_equal(cpu_set_parse(text, &set, &diag), 0);
    }
    return set;
}

/* CPUs of the same core or package as `id`, `id` included, offline ones never. */
static struct cpu_set companions(const struct topology *topology, int id, bool by_core)
{
    struct cpu_set set = {0};
    const struct topology_cpu *self = topology_find(topology, id);
    for (size_t i = 0; self != NULL && self->online && i < topology->cpu_count; i++) {
        const struct topology_cpu *cpu = &topology->cpus[i];
        if (cpu->online && (by_core ? cpu->core == self->core : cpu->package == self->package)) {
            cpu_set_add(&set, cpu->id);
        }
    }
    return set;
}

static struct cpu_set online_of(const struct topology *topology)
{
    struct cpu_set online = {0};
    for (size_t i = 0; i < topology->cpu_count; i++) {
        if (topology->cpus[i].online) {
            cpu_set_add(&online, topology->cpus[i].id);
        }
    }
    return online;
}

static int mismatch(const char *name, const char *what, const struct cpu_set *expected,
                    const struct cpu_set *got)
{
    char expected_text[CPU_SET_TEXT_SIZE];
    char got_text[CPU_SET_TEXT_SIZE];
    if (cpu_set_equal(expected, got)) {
        return 0;
    }
    cpu_set_format(expected, expected_text, sizeof(expected_text));
    cpu_set_format(got, got_text, sizeof(got_text));
    print_error("%s: %s: expected %s, got %s\n", name, what, expected_text, got_text);
    return 1;
}

/* Groups and packages of the truth name offline CPUs, too, where their topology folder was left. */
static int compare_dump(const char *name, json_t *truth, const struct topology *topology)
{
    int failures = 0;
    struct cpu_set online = online_of(topology);
    const char *told = json_string_value(json_object_get(truth, "online"));
    if (told != NULL) {
        struct cpu_set expected = set_of(told);
        failures += mismatch(name, "online", &expected, &online);
    }
    size_t index = 0;
    json_t *group = NULL;
    json_array_foreach(json_object_get(truth, "groups"), index, group)
    {
        struct cpu_set expected = set_of(json_string_value(group));
        cpu_set_intersect(&expected, &online);
        if (!cpu_set_is_empty(&expected)) {
            struct cpu_set got = companions(topology, cpu_set_next(&expected, -1), true);
            failures += mismatch(name, "core", &expected, &got);
        }
    }
    const char *package = NULL;
    json_t *cpus = NULL;
    json_object_foreach(json_object_get(truth, "packages"), package, cpus)
    {
        struct cpu_set expected = set_of(json_string_value(cpus));
        cpu_set_intersect(&expected, &online);
        int first = cpu_set_next(&expected, -1);
        struct cpu_set got = companions(topology, first, false);
        failures += mismatch(name, "package", &expected, &got);
        int id = strcmp(package, "null") == 0 ? TOPOLOGY_UNKNOWN : atoi(package);
        failures += topology_find(topology, first)->package != id;
    }
    return failures;
}

static int check_dump(const char *data, const char *name, json_t *truth)
{
    char archive[512];
    char command[2048];
    char root[512];
    const char *file = json_string_value(json_object_get(truth, "file"));
    if (file == NULL) {
        return 0;
    }
    snprintf(archive, sizeof(archive), "%s/%s", data, file);
    if (access(archive, R_OK) != 0) {
        return 0;
    }
    snprintf(command, sizeof(command), "tar -C '%s' " UNUSED_PARTS " -xf '%s'", dump_folder,
             archive);
    assert_int_equal(system(command), 0);
    snprintf(root, sizeof(root), "%s/%s", dump_folder,
             json_string_value(json_object_get(truth, "root")));
    struct topology topology;
    dump_load(root, &topology);
    int failures = compare_dump(name, truth, &topology);
    topology_free(&topology);
    temporary_remove(root);
    return failures;
}

static void public_dumps(void **state)
{
    (void)state;
    char path[512];
    const char *data = getenv("DNSCOPE_SYSFS_DUMPS");
    data = data != NULL ? data : "../shared/realdata/sysfs";
    snprintf(path, sizeof(path), "%s/ground-truth.json", data);
    json_t *truths = json_load_file(path, 0, NULL);
    if (truths == NULL) {
        skip();
    }
    int failures = 0;
    const char *name = NULL;
    json_t *truth = NULL;
    json_object_foreach(truths, name, truth)
    {
        failures += check_dump(data, name, truth);
    }
    json_decref(truths);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(public_dumps),
    };
    return cmocka_run_group_tests(tests, dump_set_up, dump_tear_down);
}
