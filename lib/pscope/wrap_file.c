/* Reading, writing, opening and closing of descriptors. */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <sys/stat.h>

#include "pscope/home.h"
#include "pscope/io.h"
#include "pscope/process.h"
#include "pscope/real.h"
#include "pscope/sys.h"

#define CALL(number, ...) (&(struct io_call){number, {__VA_ARGS__}})
#define ARG(x)            ((long)(x))

/* How a read or write is made without blocking the carrier. */
enum way {
    WAY_HOME,   /* not at all */
    WAY_DIRECT, /* as it is: a disk, or a descriptor that does not block */
    WAY_SOCKET, /* as a message with MSG_DONTWAIT */
    WAY_NOWAIT, /* with RWF_NOWAIT, where the file's driver knows it */
};

static enum way way_for(int fd)
{
    if (!uthread_aboard || !poller_covers(fd))
        return WAY_HOME;
    home_cancellation_point(uthread_aboard);
    switch (poller_kind(fd)) {
    case POLLER_KIND_SOCKET:
        return WAY_SOCKET;
    case POLLER_KIND_OTHER:
        return poller_blocking(fd) ? WAY_NOWAIT : WAY_DIRECT;
    default:
        return WAY_DIRECT;
    }
}

/*
 * The driver knows no RWF_NOWAIT, the kernel no preadv2() (before 4.6, some emulators and filters
 * of system calls), or the file cannot be polled. If it was a true error, home meets it again.
 */
static bool must_go_home(long result, bool cannot)
{
    return result == -EOPNOTSUPP || result == -ENOSYS || result == -EPERM || cannot;
}

INTERPOSE ssize_t read(int fd, void *buffer, size_t size)
{
    enum way way = way_for(fd);
    bool cannot = false;
    long result = 0;

    if (way == WAY_NOWAIT || (way == WAY_SOCKET && size > 0)) {
        struct iovec vector = {buffer, size};

        result = way == WAY_SOCKET
                     ? io_perform(fd, DIRECTION_IN,
                                  CALL(SYS_recvfrom, fd, ARG(buffer), ARG(size), MSG_DONTWAIT),
                                  true, &cannot)
                     : io_perform(fd, DIRECTION_IN,
                                  CALL(SYS_preadv2, fd, ARG(&vector), 1, -1, -1, RWF_NOWAIT), true,
                                  &cannot);
        if (!must_go_home(result, cannot))
            return sys_result(result);
        way = WAY_HOME;
    }
    if (way == WAY_HOME)
        return AT_HOME(ssize_t, REAL(read)(fd, buffer, size));
    return sys_result(sys_3(SYS_read, fd, buffer, size));
}

INTERPOSE ssize_t readv(int fd, const struct iovec *vector, int count)
{
    enum way way = way_for(fd);
    bool cannot = false;
    long result;

    if (way == WAY_NOWAIT || way == WAY_SOCKET) {
        struct msghdr message = {.msg_iov = (struct iovec *)(uintptr_t)vector,
                                 .msg_iovlen = (size_t)count};

        result = way == WAY_SOCKET
                     ? io_perform(fd, DIRECTION_IN,
                                  CALL(SYS_recvmsg, fd, ARG(&message), MSG_DONTWAIT), true, &cannot)
                     : io_perform(fd, DIRECTION_IN,
                                  CALL(SYS_preadv2, fd, ARG(vector), count, -1, -1, RWF_NOWAIT),
                                  true, &cannot);
        if (!must_go_home(result, cannot))
            return sys_result(result);
        way = WAY_HOME;
    }
    if (way == WAY_HOME)
        return AT_HOME(ssize_t, REAL(readv)(fd, vector, count));
    return sys_result(sys_3(SYS_readv, fd, vector, count));
}

/* Told of a broken pipe, raises SIGPIPE; the kernel's stayed at the carrier. */
static ssize_t wrote(long result)
{
    if (result == -EPIPE)
        io_broken_pipe();
    return sys_result(result);
}

/* One non-blocking write with waiting, all of it unless something fails. */
static ssize_t write_nowait(int fd, const void *buffer, size_t size)
{
    bool cannot = false;
    size_t done = 0;

    do {
        struct iovec vector = {(void *)((uintptr_t)buffer + done), size - done};
        long result =
            io_perform(fd, DIRECTION_OUT,
                       CALL(SYS_pwritev2, fd, ARG(&vector), 1, -1, -1, RWF_NOWAIT), true, &cannot);

        if (must_go_home(result, cannot)) {
            ssize_t rest = AT_HOME(ssize_t, REAL(write)(fd, vector.iov_base, vector.iov_len));

            return rest < 0 && !done ? rest : (ssize_t)done + (rest > 0 ? rest : 0);
        }
        if (result < 0)
            return done ? (ssize_t)done : wrote(result);
        done += (size_t)result;
    } while (done < size);
    return (ssize_t)done;
}

INTERPOSE ssize_t write(int fd, const void *buffer, size_t size)
{
    switch (way_for(fd)) {
    case WAY_SOCKET:
        if (size > 0)
            return sendto(fd, buffer, size, 0, NULL, 0);
        return sys_result(sys_3(SYS_write, fd, buffer, size));
    case WAY_NOWAIT:
        return write_nowait(fd, buffer, size);
    case WAY_DIRECT:
        return wrote(sys_3(SYS_write, fd, buffer, size));
    default:
        return AT_HOME(ssize_t, REAL(write)(fd, buffer, size));
    }
}

INTERPOSE ssize_t writev(int fd, const struct iovec *vector, int count)
{
    switch (way_for(fd)) {
    case WAY_SOCKET:
        return sendmsg(fd,
                       &(struct msghdr){.msg_iov = (struct iovec *)(uintptr_t)vector,
                                        .msg_iovlen = (size_t)count},
                       0);
    case WAY_DIRECT:
        return wrote(sys_3(SYS_writev, fd, vector, count));
    default:
        return AT_HOME(ssize_t, REAL(writev)(fd, vector, count));
    }
}

INTERPOSE int close(int fd)
{
    if (uthread_aboard)
        home_cancellation_point(uthread_aboard);
    poller_closing(fd);
    return REAL(close)(fd);
}

INTERPOSE int close_range(unsigned first, unsigned last, int flags)
{
    unsigned fd;

    if (process_active && !flags)
        for (fd = first; fd <= last && poller_covers((int)fd); fd++)
            poller_closing((int)fd);
    return REAL(close_range)(first, last, flags);
}

INTERPOSE int dup2(int from, int to)
{
    if (from != to)
        poller_closing(to);
    return REAL(dup2)(from, to);
}

INTERPOSE int dup3(int from, int to, int flags)
{
    if (from != to)
        poller_closing(to);
    return REAL(dup3)(from, to, flags);
}

INTERPOSE int dup(int fd)
{
    return poller_opened(REAL(dup)(fd));
}

INTERPOSE int socket(int domain, int type, int protocol)
{
    return poller_opened(REAL(socket)(domain, type, protocol));
}

/* Both of a pair were just opened. */
static int opened_pair(int result, const int fds[2])
{
    if (result == 0) {
        poller_opened(fds[0]);
        poller_opened(fds[1]);
    }
    return result;
}

INTERPOSE int socketpair(int domain, int type, int protocol, int fds[2])
{
    return opened_pair(REAL(socketpair)(domain, type, protocol, fds), fds);
}

INTERPOSE int pipe(int fds[2])
{
    return opened_pair(REAL(pipe)(fds), fds);
}

INTERPOSE int pipe2(int fds[2], int flags)
{
    return opened_pair(REAL(pipe2)(fds, flags), fds);
}

INTERPOSE int eventfd(unsigned count, int flags)
{
    return poller_opened(REAL(eventfd)(count, flags));
}

INTERPOSE int epoll_create(int size)
{
    return poller_opened(REAL(epoll_create)(size));
}

INTERPOSE int epoll_create1(int flags)
{
    return poller_opened(REAL(epoll_create1)(flags));
}

INTERPOSE int timerfd_create(int clock, int flags)
{
    return poller_opened(REAL(timerfd_create)(clock, flags));
}

INTERPOSE int signalfd(int fd, const sigset_t *mask, int flags)
{
    int result = REAL(signalfd)(fd, mask, flags);

    return fd == -1 ? poller_opened(result) : result;
}

/* open() takes a mode only with these. */
static bool has_mode(int flags)
{
    return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;
}

#define OPEN_MODE(flags)                                                                           \
    ({                                                                                             \
        mode_t mode_ = 0;                                                                          \
        if (has_mode(flags)) {                                                                     \
            va_list list_;                                                                         \
            va_start(list_, flags);                                                                \
            mode_ = va_arg(list_, mode_t);                                                         \
            va_end(list_);                                                                         \
        }                                                                                          \
        mode_;                                                                                     \
    })

/* Opening a FIFO waits for the other side, a device for what its driver likes. */
static bool opening_waits(int folder, const char *path, int flags)
{
    struct stat status;

    if (!uthread_aboard)
        return false;
    home_cancellation_point(uthread_aboard);
    return !(flags & O_NONBLOCK) && sys_4(SYS_newfstatat, folder, path, &status, 0) == 0 &&
           !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

#define OPEN(folder, path, flags, call)                                                            \
    poller_opened(opening_waits(folder, path, flags) ? AT_HOME(int, call) : (call))

INTERPOSE int open(const char *path, int flags, ...)
{
    mode_t mode = OPEN_MODE(flags);

    return OPEN(AT_FDCWD, path, flags, REAL(open)(path, flags, mode));
}

INTERPOSE int open64(const char *path, int flags, ...)
{
    mode_t mode = OPEN_MODE(flags);

    return OPEN(AT_FDCWD, path, flags, REAL(open64)(path, flags, mode));
}

INTERPOSE int openat(int folder, const char *path, int flags, ...)
{
    mode_t mode = OPEN_MODE(flags);

    return OPEN(folder, path, flags, REAL(openat)(folder, path, flags, mode));
}

INTERPOSE int openat64(int folder, const char *path, int flags, ...)
{
    mode_t mode = OPEN_MODE(flags);

    return OPEN(folder, path, flags, REAL(openat64)(folder, path, flags, mode));
}

INTERPOSE int creat(const char *path, mode_t mode)
{
    return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

INTERPOSE int creat64(const char *path, mode_t mode)
{
    return open64(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

static int control(int (*real)(int, int, ...), int fd, int command, void *argument)
{
    int result;

    switch (command) {
    case F_SETFL:
        result = real(fd, command, argument);
        poller_flags_changed();
        return result;
    case F_SETLKW:
    case F_OFD_SETLKW:
        return AT_HOME(int, real(fd, command, argument));
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        return poller_opened(real(fd, command, argument));
    default:
        return real(fd, command, argument);
    }
}

INTERPOSE int fcntl(int fd, int command, ...)
{
    va_list list;
    void *argument;

    va_start(list, command);
    argument = va_arg(list, void *);
    va_end(list);
    return control(REAL(fcntl), fd, command, argument);
}

INTERPOSE int fcntl64(int fd, int command, ...)
{
    va_list list;
    void *argument;

    va_start(list, command);
    argument = va_arg(list, void *);
    va_end(list);
    return control(REAL(fcntl64), fd, command, argument);
}

INTERPOSE int ioctl(int fd, unsigned long request, ...)
{
    va_list list;
    void *argument;
    int result;

    va_start(list, request);
    argument = va_arg(list, void *);
    va_end(list);
    result = REAL(ioctl)(fd, request, argument);
    if (request == FIONBIO)
        poller_flags_changed();
    return result;
}

INTERPOSE int fsync(int fd)
{
    return AT_HOME(int, REAL(fsync)(fd));
}

INTERPOSE int fdatasync(int fd)
{
    return AT_HOME(int, REAL(fdatasync)(fd));
}

INTERPOSE int flock(int fd, int operation)
{
    return AT_HOME(int, REAL(flock)(fd, operation));
}

INTERPOSE int lockf(int fd, int command, off_t size)
{
    return AT_HOME(int, REAL(lockf)(fd, command, size));
}

/*
 * A stdio lock is waited for at home. Who finds it free stays aboard, as named does for every word
 * of a zone file; if it switches while it holds the lock, a thread that needs the stream inside of
 * libc may keep its carrier until the monitor brings a substitute.
 */
INTERPOSE void flockfile(FILE *file)
{
    if (uthread_aboard && REAL(ftrylockfile)(file) == 0)
        return;
    AT_HOME_VOID(REAL(flockfile)(file));
}
