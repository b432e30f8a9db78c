/* Sockets: receive, send, accept, connect. */
#include <errno.h>
#include <limits.h>

#include "pscope/home.h"
#include "pscope/io.h"
#include "pscope/process.h"
#include "pscope/real.h"
#include "pscope/sys.h"
#include "pscope/timers.h"

#define CALL(number, ...) (&(struct io_call){number, {__VA_ARGS__}})
#define ARG(x)            ((long)(x))

/* Whether the caller's descriptor goes through the poller; otherwise the call is made at home. */
static bool polled(int fd)
{
    return uthread_aboard && poller_covers(fd);
}

INTERPOSE ssize_t recvfrom(int fd, void *restrict buffer, size_t size, int flags,
                           struct sockaddr *restrict address, socklen_t *restrict length)
{
    bool cannot = false;
    long result;

    if (!polled(fd))
        return AT_HOME(ssize_t, REAL(recvfrom)(fd, buffer, size, flags, address, length));
    result = io_perform(fd, DIRECTION_IN,
                        CALL(SYS_recvfrom, fd, ARG(buffer), ARG(size), flags | MSG_DONTWAIT,
                             ARG(address), ARG(length)),
                        !(flags & MSG_DONTWAIT), &cannot);
    if (cannot)
        return AT_HOME(ssize_t, REAL(recvfrom)(fd, buffer, size, flags, address, length));
    if (result > 0 && (flags & MSG_WAITALL) && (size_t)result < size && !(flags & MSG_PEEK) &&
        poller_blocking(fd)) {
        /* The rest of a stream; the end of it, or an error, leaves what there is. */
        ssize_t rest = recvfrom(fd, (char *)buffer + result, size - (size_t)result, flags, NULL, 0);

        if (rest > 0)
            result += rest;
    }
    return sys_result(result);
}

INTERPOSE ssize_t recv(int fd, void *buffer, size_t size, int flags)
{
    return recvfrom(fd, buffer, size, flags, NULL, NULL);
}

INTERPOSE ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
    bool cannot = !polled(fd) || (flags & MSG_WAITALL);
    long result = 0;

    if (!cannot)
        result =
            io_perform(fd, DIRECTION_IN, CALL(SYS_recvmsg, fd, ARG(message), flags | MSG_DONTWAIT),
                       !(flags & MSG_DONTWAIT), &cannot);
    return cannot ? AT_HOME(ssize_t, REAL(recvmsg)(fd, message, flags)) : sys_result(result);
}

/* As the kernel does it: the limit is looked at behind each datagram only. */
INTERPOSE int recvmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags,
                       struct timespec *limit)
{
    uint64_t end_ns = limit ? timers_after(limit) : NO_DEADLINE;
    bool cannot = false, blocks = !(flags & MSG_DONTWAIT);
    unsigned done = 0;

    if (!polled(fd))
        return AT_HOME(int, REAL(recvmmsg)(fd, messages, count, flags, limit));
    for (;;) {
        long result = io_perform(fd, DIRECTION_IN,
                                 CALL(SYS_recvmmsg, fd, ARG(messages + done), count - done,
                                      (flags & ~MSG_WAITFORONE) | MSG_DONTWAIT, 0),
                                 blocks, &cannot);

        if (cannot) {
            int rest =
                AT_HOME(int, REAL(recvmmsg)(fd, messages + done, count - done, flags, limit));

            return rest < 0 && done ? (int)done : (int)done + rest;
        }
        if (result < 0)
            return done ? (int)done : (int)sys_result(result);
        done += (unsigned)result;
        if (done == count || !blocks || (flags & MSG_WAITFORONE) || !poller_blocking(fd) ||
            (limit && timers_now() >= end_ns))
            return (int)done;
    }
}

/* Told of a broken connection, raises SIGPIPE as the kernel would have done. */
static ssize_t sent(long result, int flags)
{
    if (result == -EPIPE && !(flags & MSG_NOSIGNAL))
        io_broken_pipe();
    return sys_result(result);
}

INTERPOSE ssize_t sendto(int fd, const void *buffer, size_t size, int flags,
                         const struct sockaddr *address, socklen_t length)
{
    bool cannot = false;
    size_t done = 0;

    if (!polled(fd))
        return AT_HOME(ssize_t, REAL(sendto)(fd, buffer, size, flags, address, length));
    do {
        long result =
            io_perform(fd, DIRECTION_OUT,
                       CALL(SYS_sendto, fd, ARG((const char *)buffer + done), ARG(size - done),
                            flags | MSG_DONTWAIT | MSG_NOSIGNAL, ARG(address), length),
                       !(flags & MSG_DONTWAIT), &cannot);

        if (result < 0)
            return done ? (ssize_t)done : sent(result, flags);
        done += (size_t)result;
    } while (done < size && !(flags & MSG_DONTWAIT) && poller_blocking(fd));
    return (ssize_t)done;
}

INTERPOSE ssize_t send(int fd, const void *buffer, size_t size, int flags)
{
    return sendto(fd, buffer, size, flags, NULL, 0);
}

static size_t vector_size(const struct iovec *vector, size_t count)
{
    size_t size = 0, i;

    for (i = 0; i < count; i++)
        size += vector[i].iov_len;
    return size;
}

INTERPOSE ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    bool cannot = false;
    long result;

    if (!polled(fd))
        return AT_HOME(ssize_t, REAL(sendmsg)(fd, message, flags));
    result = io_perform(fd, DIRECTION_OUT,
                        CALL(SYS_sendmsg, fd, ARG(message), flags | MSG_DONTWAIT | MSG_NOSIGNAL),
                        !(flags & MSG_DONTWAIT), &cannot);
    if (result > 0 && !(flags & MSG_DONTWAIT) &&
        (size_t)result < vector_size(message->msg_iov, message->msg_iovlen) &&
        poller_blocking(fd)) {
        size_t skip = (size_t)result, i;

        /* The rest of a stream, piece by piece. */
        for (i = 0; i < message->msg_iovlen; i++) {
            const struct iovec *piece = &message->msg_iov[i];
            ssize_t more;

            if (skip >= piece->iov_len) {
                skip -= piece->iov_len;
                continue;
            }
            more = send(fd, (const char *)piece->iov_base + skip, piece->iov_len - skip, flags);
            if (more < 0)
                return result;
            result += more;
            if ((size_t)more < piece->iov_len - skip)
                return result;
            skip = 0;
        }
    }
    return sent(result, flags);
}

INTERPOSE int sendmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags)
{
    bool cannot = false;
    unsigned done = 0;

    if (!polled(fd))
        return AT_HOME(int, REAL(sendmmsg)(fd, messages, count, flags));
    do {
        long result = io_perform(fd, DIRECTION_OUT,
                                 CALL(SYS_sendmmsg, fd, ARG(messages + done), count - done,
                                      flags | MSG_DONTWAIT | MSG_NOSIGNAL),
                                 !(flags & MSG_DONTWAIT), &cannot);

        if (result < 0)
            return done ? (int)done : (int)sent(result, flags);
        done += (unsigned)result;
    } while (done < count && !(flags & MSG_DONTWAIT) && poller_blocking(fd));
    return (int)done;
}

/* Nobody can take a connection without blocking on a blocking socket, so: wait, then go home. */
static long wait_acceptable(int fd)
{
    uint64_t deadline_ns = io_deadline(fd, DIRECTION_IN);

    for (;;) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        struct poller_watch watch;
        long result;

        poller_watch(&watch, fd, DIRECTION_IN, true);
        if (sys_poll_now(&ready, 1))
            return 0;
        result = io_wait(&watch, 1, deadline_ns, deadline_ns == NO_DEADLINE);
        if (result)
            return result;
    }
}

INTERPOSE int accept4(int fd, struct sockaddr *restrict address, socklen_t *restrict length,
                      int flags)
{
    long result;

    if (!polled(fd))
        return poller_opened(AT_HOME(int, REAL(accept4)(fd, address, length, flags)));
    home_cancellation_point(uthread_aboard);
    if (!poller_blocking(fd))
        return poller_opened((int)sys_result(sys_4(SYS_accept4, fd, address, length, flags)));
    result = wait_acceptable(fd);
    if (result && result != -EPERM)
        return (int)sys_result(result == -ETIMEDOUT ? -EAGAIN : result);
    result = AT_HOME(int, REAL(accept4)(fd, address, length, flags));
    poller_pass_on(fd, DIRECTION_IN);
    return poller_opened((int)result);
}

INTERPOSE int accept(int fd, struct sockaddr *restrict address, socklen_t *restrict length)
{
    return accept4(fd, address, length, 0);
}

INTERPOSE int connect(int fd, const struct sockaddr *address, socklen_t length)
{
    int type = 0;
    socklen_t size = sizeof type;

    if (!polled(fd))
        return AT_HOME(int, REAL(connect)(fd, address, length));
    sys_5(SYS_getsockopt, fd, SOL_SOCKET, SO_TYPE, &type, &size);
    if (poller_blocking(fd) && type != SOCK_DGRAM && type != SOCK_RAW)
        return AT_HOME(int, REAL(connect)(fd, address, length));
    return (int)sys_result(sys_3(SYS_connect, fd, address, length));
}

INTERPOSE int setsockopt(int fd, int level, int name, const void *value, socklen_t length)
{
    if (level == SOL_SOCKET && (name == SO_RCVTIMEO || name == SO_SNDTIMEO))
        io_time_limits();
    return REAL(setsockopt)(fd, level, name, value, length);
}
