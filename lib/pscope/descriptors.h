/* The library's own descriptors: kept out of the way of programs that expect small numbers. */
#ifndef PSCOPE_DESCRIPTORS_H
#define PSCOPE_DESCRIPTORS_H

#include <fcntl.h>

#include "pscope/sys.h"

#define DESCRIPTOR_FIRST 512

/* Moves what a system call just returned to a high number; -1 for an error. */
static inline int descriptor_out_of_the_way(long fd)
{
    long high;

    if (fd < 0)
        return -1;
    high = sys_3(SYS_fcntl, fd, F_DUPFD_CLOEXEC, DESCRIPTOR_FIRST);
    if (high < 0)
        return (int)fd;
    sys_1(SYS_close, fd);
    return (int)high;
}

#endif
