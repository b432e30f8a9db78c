#include "system/cpu_listing.h"

#include <stdlib.h>
#include <string.h>

/* CPUs for which `keep` holds. */
typedef bool cpu_test_fn(const struct topology_cpu *cpu, int argument);

static struct cpu_set select_cpus(const struct topology *topology, cpu_test_fn *keep, int argument)
{
    struct cpu_set set = {0};
    for (size_t i = 0; i < topology->cpu_count; i++) {
        if (keep(&topology->cpus[i], argument)) {
            cpu_set_add(&set, topology->cpus[i].id);
        }
    }
    return set;
}

static bool is_online(const struct topology_cpu *cpu, int wanted)
{
    return cpu->online == (wanted != 0);
}

static bool is_allowed(const struct topology_cpu *cpu, int wanted)
{
    return cpu->allowed == (wanted != 0);
}

static bool is_shut_out(const struct topology_cpu *cpu, int unused)
{
    (void)unused;
    return cpu->online && !cpu->allowed;
}

static bool is_usable(const struct topology_cpu *cpu, int unused)
{
    (void)unused;
    return topology_cpu_usable(cpu);
}

static bool on_package(const struct topology_cpu *cpu, int package)
{
    return cpu->online && cpu->package == package;
}

static bool on_core(const struct topology_cpu *cpu, int core)
{
    return cpu->online && cpu->core == core;
}

/* Whether this CPU is the one at which its core is met first. */
static bool is_core_head(const struct topology_cpu *cpu, int package)
{
    return on_package(cpu, package) && cpu->sibling == 0;
}

/* The text of a set; `text` is scratch space that the caller may share between calls no longer
 * than it prints. */
static const char *set_text(struct cpu_set set, char text[CPU_SET_TEXT_SIZE])
{
    cpu_set_format(&set, text, CPU_SET_TEXT_SIZE);
    return text;
}

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static void print_core(const struct topology *topology, const struct topology_cpu *head, FILE *out)
{
    char text[CPU_SET_TEXT_SIZE];
    struct cpu_set cpus = select_cpus(topology, on_core, head->core);
    fprintf(out, "  core %d: CPU%s %s", head->core, plural(cpu_set_count(&cpus)),
            set_text(cpus, text));
    if (head->node != TOPOLOGY_UNKNOWN) {
        fprintf(out, ", node %d", head->node);
    }
    struct cpu_set unusable = cpus;
    struct cpu_set usable = select_cpus(topology, is_usable, 0);
    cpu_set_subtract(&unusable, &usable);
    if (!cpu_set_is_empty(&unusable)) {
        fprintf(out, " (not allowed: %s)", set_text(unusable, text));
    }
    putc('\n', out);
}

static void print_socket(const struct topology *topology, int package, FILE *out)
{
    char text[CPU_SET_TEXT_SIZE];
    struct cpu_set cpus = select_cpus(topology, on_package, package);
    struct cpu_set heads = select_cpus(topology, is_core_head, package);
    size_t cores = cpu_set_count(&heads);
    size_t count = cpu_set_count(&cpus);
    if (package == TOPOLOGY_UNKNOWN) {
        fputs("Socket unknown", out);
    } else {
        fprintf(out, "Socket %d", package);
    }
    fprintf(out, ": %zu core%s, %zu CPU%s (%s)\n", cores, plural(cores), count, plural(count),
            set_text(cpus, text));
    for (int cpu = cpu_set_next(&heads, -1); cpu >= 0; cpu = cpu_set_next(&heads, cpu)) {
        print_core(topology, topology_find(topology, cpu), out);
    }
}

/* Calls `use` for each package with an online CPU, in the order of their first CPUs. */
typedef void package_fn(const struct topology *topology, int package, void *context);

static void for_each_package(const struct topology *topology, package_fn *use, void *context)
{
    struct cpu_set rest;
    topology_online(topology, &rest);
    while (!cpu_set_is_empty(&rest)) {
        struct cpu_set socket = topology_take_socket(topology, &rest);
        use(topology, topology_find(topology, cpu_set_next(&socket, -1))->package, context);
    }
}

static void print_package(const struct topology *topology, int package, void *context)
{
    print_socket(topology, package, context);
}

static void print_line(FILE *out, const char *what, struct cpu_set set)
{
    char text[CPU_SET_TEXT_SIZE];
    if (!cpu_set_is_empty(&set)) {
        fprintf(out, "%s: %s\n", what, set_text(set, text));
    }
}

void cpu_listing_print(const struct topology *topology, FILE *out)
{
    for_each_package(topology, print_package, out);
    print_line(out, "Offline", select_cpus(topology, is_online, 0));
    print_line(out, "Not allowed to this process", select_cpus(topology, is_shut_out, 0));
    print_line(out, "Usable", select_cpus(topology, is_usable, 0));
    if (!topology->cores_known) {
        fputs("Warning: the kernel does not show which CPUs share a core\n", out);
    }
}

static void add_package_json(const struct topology *topology, int package, void *context)
{
    char text[CPU_SET_TEXT_SIZE];
    struct cpu_set heads = select_cpus(topology, is_core_head, package);
    const char *cpus = set_text(select_cpus(topology, on_package, package), text);
    json_array_append_new(
        context, json_pack("{s:o, s:I, s:s}", "package",
                           package == TOPOLOGY_UNKNOWN ? json_null() : json_integer(package),
                           "cores", (json_int_t)cpu_set_count(&heads), "cpus", cpus));
}

static json_t *known_json(int value)
{
    return value == TOPOLOGY_UNKNOWN ? json_null() : json_integer(value);
}

static json_t *cpu_json(const struct topology_cpu *cpu)
{
    return json_pack("{s:i, s:b, s:b, s:o, s:o, s:o, s:o}", "id", cpu->id, "online",
                     (int)cpu->online, "allowed", (int)cpu->allowed, "core", known_json(cpu->core),
                     "package", known_json(cpu->package), "node", known_json(cpu->node), "sibling",
                     known_json(cpu->sibling));
}

static json_t *set_json(struct cpu_set set)
{
    char text[CPU_SET_TEXT_SIZE];
    return json_string(set_text(set, text));
}

json_t *cpu_listing_json(const struct topology *topology)
{
    json_t *sockets = json_array();
    json_t *cpus = json_array();
    for_each_package(topology, add_package_json, sockets);
    for (size_t i = 0; i < topology->cpu_count; i++) {
        json_array_append_new(cpus, cpu_json(&topology->cpus[i]));
    }
    return json_pack(
        "{s:b, s:b, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "this_machine",
        (int)topology->this_machine, "cores_known", (int)topology->cores_known, "cores",
        (json_int_t)topology->core_count, "online", set_json(select_cpus(topology, is_online, 1)),
        "offline", set_json(select_cpus(topology, is_online, 0)), "allowed",
        set_json(select_cpus(topology, is_allowed, 1)), "usable",
        set_json(select_cpus(topology, is_usable, 0)), "sockets", sockets, "cpus", cpus);
}
