#include "memory_file.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/check.h"

int memory_file(const void *data, size_t size, char path[MEMORY_FILE_PATH_BYTES])
{
    int fd = memfd_create("octets", 0);
    CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    CHECK(lseek(fd, 0, SEEK_SET) == 0);
    snprintf(path, MEMORY_FILE_PATH_BYTES, "/dev/fd/%d", fd);
    return fd;
}
