/* The names that programs built with _FORTIFY_SOURCE call instead. */
#include <stdarg.h>
#include <stdlib.h>

#include "pscope/process.h"
#include "pscope/real.h"

/* glibc's own declarations are hidden behind the macros that make these calls. */
_Noreturn void __chk_fail(void);

static void check(size_t wanted, size_t there)
{
    if (wanted > there)
        __chk_fail();
}

ssize_t __read_chk(int fd, void *buffer, size_t size, size_t there);
INTERPOSE ssize_t __read_chk(int fd, void *buffer, size_t size, size_t there)
{
    check(size, there);
    return read(fd, buffer, size);
}

ssize_t __recv_chk(int fd, void *buffer, size_t size, size_t there, int flags);
INTERPOSE ssize_t __recv_chk(int fd, void *buffer, size_t size, size_t there, int flags)
{
    check(size, there);
    return recv(fd, buffer, size, flags);
}

ssize_t __recvfrom_chk(int fd, void *buffer, size_t size, size_t there, int flags,
                       struct sockaddr *address, socklen_t *length);
INTERPOSE ssize_t __recvfrom_chk(int fd, void *buffer, size_t size, size_t there, int flags,
                                 struct sockaddr *address, socklen_t *length)
{
    check(size, there);
    return recvfrom(fd, buffer, size, flags, address, length);
}

int __poll_chk(struct pollfd *fds, nfds_t count, int timeout_ms, size_t there);
INTERPOSE int __poll_chk(struct pollfd *fds, nfds_t count, int timeout_ms, size_t there)
{
    check(count, there / sizeof *fds);
    return poll(fds, count, timeout_ms);
}

int __ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
                const sigset_t *mask, size_t there);
INTERPOSE int __ppoll_chk(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
                          const sigset_t *mask, size_t there)
{
    check(count, there / sizeof *fds);
    return ppoll(fds, count, timeout, mask);
}

void __vsyslog_chk(int priority, int flag, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0)));
INTERPOSE void __vsyslog_chk(int priority, int flag, const char *format, va_list arguments)
{
    (void)flag;
    vsyslog(priority, format, arguments);
}

void __syslog_chk(int priority, int flag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
INTERPOSE void __syslog_chk(int priority, int flag, const char *format, ...)
{
    va_list arguments;

    (void)flag;
    va_start(arguments, format);
    vsyslog(priority, format, arguments);
    va_end(arguments);
}
