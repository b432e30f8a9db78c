#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cpu/cpu_set.h"
#include "sweep/machine.h"

#define TEXT_SIZE 4096

/* The file's text without the spaces at its end; false when it cannot be read. */
static bool read_text(const char *path, char text[TEXT_SIZE])
{
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return false;
    }
    size_t size = fread(text, 1, TEXT_SIZE - 1, file);
    fclose(file);
    text[size] = '\0';
    text[strcspn(text, "\n")] = '\0';
    return size > 0;
}

static json_t *text_or_null(const char *path)
{
    char text[TEXT_SIZE];
    return read_text(path, text) ? json_string(text) : json_null();
}

/* The value behind "key   :" in a file of such lines, that of the first line with it. */
static json_t *value_or_null(const char *path, const char *key)
{
    char line[TEXT_SIZE];
    FILE *file = fopen(path, "re");
    json_t *value = NULL;
    while (file != NULL && value == NULL && fgets(line, sizeof(line), file) != NULL) {
        char *colon = strchr(line, ':');
        if (colon == NULL || strncmp(line, key, strlen(key)) != 0 ||
            strspn(line + strlen(key), " \t") != (size_t)(colon - line) - strlen(key)) {
            continue;
        }
        colon += 1 + strspn(colon + 1, " \t");
        colon[strcspn(colon, "\n")] = '\0';
        value = json_string(colon);
    }
    if (file != NULL) {
        fclose(file);
    }
    return value != NULL ? value : json_null();
}

/* One file a flaw: "Mitigation: ...", "Not affected", "Vulnerable". */
static json_t *mitigations_json(void)
{
    static const char folder[] = "/sys/devices/system/cpu/vulnerabilities";
    json_t *mitigations = json_object();
    DIR *stream = opendir(folder);
    const struct dirent *entry;
    while (stream != NULL && (entry = readdir(stream)) != NULL) {
        char path[512];
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.') {
            json_object_set_new(mitigations, entry->d_name, text_or_null(path));
        }
    }
    if (stream != NULL) {
        closedir(stream);
    }
    return mitigations;
}

static json_t *kernel_json(void)
{
    struct utsname name;
    uname(&name);
    return json_pack("{s:s, s:s, s:s, s:s, s:o}", "name", name.sysname, "release", name.release,
                     "version", name.version, "machine", name.machine, "clocksource",
                     text_or_null("/sys/devices/system/clocksource/clocksource0/"
                                  "current_clocksource"));
}

/* Packages that are known, each counted once. */
static int count_packages(const struct topology *topology)
{
    int count = 0;
    for (size_t i = 0; i < topology->cpu_count; i++) {
        bool seen = topology->cpus[i].package == TOPOLOGY_UNKNOWN;
        for (size_t j = 0; j < i && !seen; j++) {
            seen = topology->cpus[j].package == topology->cpus[i].package;
        }
        count += !seen;
    }
    return count;
}

static json_t *cpus_json(const struct topology *topology)
{
    struct cpu_set usable = {0};
    char text[CPU_SET_TEXT_SIZE];
    topology_usable(topology, &usable);
    cpu_set_format(&usable, text, sizeof(text));
    return json_pack(
        "{s:o, s:o, s:i, s:i, s:i, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "model",
        value_or_null("/proc/cpuinfo", "model name"), "microcode",
        value_or_null("/proc/cpuinfo", "microcode"), "sockets", count_packages(topology), "cores",
        (int)topology->core_count, "cpus", (int)topology->cpu_count, "usable", text, "smt",
        text_or_null("/sys/devices/system/cpu/smt/control"), "governor",
        text_or_null("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"), "intel_no_turbo",
        text_or_null("/sys/devices/system/cpu/intel_pstate/no_turbo"), "boost",
        text_or_null("/sys/devices/system/cpu/cpufreq/boost"), "isolated",
        text_or_null("/sys/devices/system/cpu/isolated"), "nohz_full",
        text_or_null("/sys/devices/system/cpu/nohz_full"), "mitigations", mitigations_json());
}

json_t *machine_json(const struct topology *topology)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:b}", "kernel", kernel_json(), "cpu",
                     cpus_json(topology), "memory", value_or_null("/proc/meminfo", "MemTotal"),
                     "swap", value_or_null("/proc/meminfo", "SwapTotal"), "product",
                     text_or_null("/sys/class/dmi/id/product_name"), "root", geteuid() == 0);
}
