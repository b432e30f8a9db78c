#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/error.h"
#include "cpu/sysfs_cpu.h"

/* A mask of CPU_SET_LIMIT CPUs: 8 digits and a comma for each 32. */
#define MASK_TEXT_SIZE (CPU_SET_LIMIT / 32 * 9 + 2)

static int read_topology_file(const char *root, int cpu, const char *name, char *text, size_t size)
{
    char path[512];
    int length = snprintf(path, sizeof(path), "%s/sys/devices/system/cpu/cpu%d/topology/%s", root,
                          cpu, name);
    int fd = length < (int)sizeof(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0) {
        return ERR_NOT_FOUND;
    }
    ssize_t count = read(fd, text, size - 1);
    close(fd);
    text[count > 0 ? count : 0] = '\0';
    return count > 0 ? 0 : ERR_SYNTAX;
}

int sysfs_cpu_siblings(const char *root, int cpu, struct cpu_set *siblings)
{
    char text[MASK_TEXT_SIZE];
    int status = read_topology_file(root, cpu, "thread_siblings", text, sizeof(text));
    return status == 0 ? cpu_set_parse_mask(text, siblings) : status;
}

int sysfs_cpu_package(const char *root, int cpu, int *package)
{
    char text[32];
    int status = read_topology_file(root, cpu, "physical_package_id", text, sizeof(text));
    if (status != 0) {
        return status;
    }
    return sscanf(text, "%d", package) == 1 ? 0 : ERR_SYNTAX;
}
