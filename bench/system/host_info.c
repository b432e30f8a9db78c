#include "system/host_info.h"

#include <dirent.h>
#include <gnu/libc-version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "system/cpu_listing.h"

#define PATH_SIZE 512

/* One-line files and the names that they get. */
static const struct {
    const char *key;
    const char *path;
} line_files[] = {
    {"governor", "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"},
    {"frequency_driver", "sys/devices/system/cpu/cpu0/cpufreq/scaling_driver"},
    {"smt_control", "sys/devices/system/cpu/smt/control"},
    {"isolated_cpus", "sys/devices/system/cpu/isolated"},
    {"nohz_full_cpus", "sys/devices/system/cpu/nohz_full"},
    {"clocksource", "sys/devices/system/clocksource/clocksource0/current_clocksource"},
    {"transparent_hugepages", "sys/kernel/mm/transparent_hugepage/enabled"},
    {"cpu_quota", "sys/fs/cgroup/cpu.max"},
    {"machine_vendor", "sys/class/dmi/id/sys_vendor"},
    {"machine_product", "sys/class/dmi/id/product_name"},
    {"hypervisor_type", "sys/hypervisor/type"},
};

/* A JSON string of bytes that may be anything, without the white space at the end. */
static json_t *clean_string(const char *text, size_t size)
{
    while (size > 0 && (unsigned char)text[size - 1] <= ' ') {
        size--;
    }
    char *copy = strndup(text, size);
    for (char *at = copy; at != NULL && *at != '\0'; at++) {
        unsigned char byte = (unsigned char)*at;
        *at = (char)(byte >= 0x20 && byte < 0x7f ? byte : '?');
    }
    json_t *string = copy != NULL ? json_string(copy) : NULL;
    free(copy);
    return string;
}

/* The file's text, which the caller frees; empty when it cannot be read. */
static struct bytes read_below(const char *root, const char *path)
{
    char whole[PATH_SIZE];
    struct bytes text = {0};
    struct diag ignored = {0};
    int length = snprintf(whole, sizeof(whole), "%s/%s", root, path);
    if (length >= (int)sizeof(whole) || file_read_all(whole, &text, &ignored) != 0) {
        text = (struct bytes){0};
    }
    return text;
}

static json_t *file_line(const char *root, const char *path)
{
    struct bytes text = read_below(root, path);
    json_t *line = text.data != NULL ? clean_string(text.data, text.size) : json_null();
    bytes_free(&text);
    return line;
}

/* Where the value of "NAME : value" begins, if `line` is such a line; else NULL. */
static const char *field_value(const char *line, const char *name)
{
    size_t length = strlen(name);
    if (strncmp(line, name, length) != 0) {
        return NULL;
    }
    line += length;
    line += strspn(line, " \t");
    return *line == ':' ? line + 1 + strspn(line + 1, " \t") : NULL;
}

json_t *host_info_field(const char *text, const char *name)
{
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *value = field_value(line, name);
        if (value != NULL) {
            return clean_string(value, strcspn(value, "\n"));
        }
    }
    return json_null();
}

/* intel_pstate says it the other way round. */
static json_t *turbo(const char *root)
{
    static const struct {
        const char *path;
        char on;
    } files[] = {{"sys/devices/system/cpu/intel_pstate/no_turbo", '0'},
                 {"sys/devices/system/cpu/cpufreq/boost", '1'}};
    json_t *result = NULL;
    for (size_t i = 0; i < ARRAY_LENGTH(files) && result == NULL; i++) {
        struct bytes text = read_below(root, files[i].path);
        if (text.size > 0) {
            result = json_boolean(text.data[0] == files[i].on);
        }
        bytes_free(&text);
    }
    return result != NULL ? result : json_null();
}

/* Each file of the folder is one weakness of the processor, its text what is done about it. */
static json_t *mitigations(const char *root)
{
    static const char folder_path[] = "sys/devices/system/cpu/vulnerabilities";
    char path[PATH_SIZE];
    snprintf(path, sizeof(path), "%s/%s", root, folder_path);
    DIR *folder = opendir(path);
    if (folder == NULL) {
        return json_null();
    }
    json_t *all = json_object();
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        if (entry->d_name[0] != '.') {
            snprintf(path, sizeof(path), "%s/%s", folder_path, entry->d_name);
            json_object_set_new(all, entry->d_name, file_line(root, path));
        }
    }
    closedir(folder);
    return all;
}

/* The flag that a hypervisor shows its guests; null where processors have no flags of that kind. */
static json_t *is_virtual(const char *cpuinfo)
{
    json_t *flags = host_info_field(cpuinfo, "flags");
    const char *text = json_string_value(flags);
    json_t *result = text != NULL ? json_boolean(strstr(text, " hypervisor") != NULL) : json_null();
    json_decref(flags);
    return result;
}

static void add_processor(json_t *info, const char *root)
{
    struct bytes cpuinfo = read_below(root, "proc/cpuinfo");
    const char *text = cpuinfo.data != NULL ? cpuinfo.data : "";
    json_object_set_new(info, "cpu_model", host_info_field(text, "model name"));
    json_object_set_new(info, "cpu_vendor", host_info_field(text, "vendor_id"));
    json_object_set_new(info, "microcode", host_info_field(text, "microcode"));
    json_object_set_new(info, "virtual_machine", is_virtual(text));
    bytes_free(&cpuinfo);
}

static void add_memory(json_t *info, const char *root)
{
    struct bytes meminfo = read_below(root, "proc/meminfo");
    const char *text = meminfo.data != NULL ? meminfo.data : "";
    json_object_set_new(info, "memory_total", host_info_field(text, "MemTotal"));
    json_object_set_new(info, "swap_total", host_info_field(text, "SwapTotal"));
    bytes_free(&meminfo);
}

/* The listing of dnscope cpus without its longest part, which the sockets sum up. */
static void add_topology(json_t *info, const struct topology *topology)
{
    json_t *listing = cpu_listing_json(topology);
    json_object_del(listing, "cpus");
    json_object_set_new(info, "topology", listing);
}

static void add_kernel_and_build(json_t *info)
{
    struct utsname name;
    json_object_set_new(info, "compiler", json_string(__VERSION__));
    json_object_set_new(info, "libc", json_sprintf("glibc %s", gnu_get_libc_version()));
    if (uname(&name) == 0) {
        json_object_set_new(info, "kernel", json_sprintf("%s %s", name.sysname, name.release));
        json_object_set_new(info, "kernel_build", json_string(name.version));
        json_object_set_new(info, "architecture", json_string(name.machine));
    }
}

json_t *host_info_json(const char *root, const struct topology *topology)
{
    json_t *info = json_object();
    add_kernel_and_build(info);
    add_processor(info, root);
    add_memory(info, root);
    for (size_t i = 0; i < ARRAY_LENGTH(line_files); i++) {
        json_object_set_new(info, line_files[i].key, file_line(root, line_files[i].path));
    }
    json_object_set_new(info, "turbo", turbo(root));
    json_object_set_new(info, "mitigations", mitigations(root));
    json_object_set_new(info, "root", json_boolean(geteuid() == 0));
    add_topology(info, topology);
    return info;
}
