/*
 * Files at a place, and their pages in memory. A disk makes nobody wait for long, so these calls
 * are made on the spot; POSIX has them be cancellation points.
 */
#include <stdint.h>
#include <sys/mman.h>
#include <sys/uio.h>

#include "pscope/home.h"
#include "pscope/process.h"
#include "pscope/real.h"

#define POINT()                                                                                    \
    do {                                                                                           \
        if (uthread_aboard)                                                                        \
            home_cancellation_point(uthread_aboard);                                               \
    } while (0)

#define PLACED(type, name, parameters, arguments)                                                  \
    INTERPOSE type name parameters                                                                 \
    {                                                                                              \
        POINT();                                                                                   \
        return REAL(name) arguments;                                                               \
    }

PLACED(ssize_t, pread, (int fd, void *buffer, size_t size, off_t place), (fd, buffer, size, place))
PLACED(ssize_t, pread64, (int fd, void *buffer, size_t size, off64_t place),
       (fd, buffer, size, place))
PLACED(ssize_t, pwrite, (int fd, const void *buffer, size_t size, off_t place),
       (fd, buffer, size, place))
PLACED(ssize_t, pwrite64, (int fd, const void *buffer, size_t size, off64_t place),
       (fd, buffer, size, place))
PLACED(ssize_t, preadv, (int fd, const struct iovec *vector, int count, off_t place),
       (fd, vector, count, place))
PLACED(ssize_t, preadv64, (int fd, const struct iovec *vector, int count, off64_t place),
       (fd, vector, count, place))
PLACED(ssize_t, pwritev, (int fd, const struct iovec *vector, int count, off_t place),
       (fd, vector, count, place))
PLACED(ssize_t, pwritev64, (int fd, const struct iovec *vector, int count, off64_t place),
       (fd, vector, count, place))

INTERPOSE int msync(void *start, size_t size, int flags)
{
    return AT_HOME(int, REAL(msync)(start, size, flags));
}

INTERPOSE int sync_file_range(int fd, off64_t place, off64_t size, unsigned flags)
{
    return AT_HOME(int, REAL(sync_file_range)(fd, place, size, flags));
}
