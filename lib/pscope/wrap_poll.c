/* Waiting for many descriptors: poll, select and epoll. */
#include <errno.h>
#include <string.h>

#include "pscope/home.h"
#include "pscope/io.h"
#include "pscope/process.h"
#include "pscope/real.h"
#include "pscope/sys.h"
#include "pscope/timers.h"

#define WATCHES_ON_STACK 16

static uint64_t deadline_after_ms(int timeout_ms)
{
    return timeout_ms < 0 ? NO_DEADLINE : timers_after_ns((uint64_t)timeout_ms * 1000000);
}

/* 0: do not wait. */
static uint64_t deadline_after(const struct timespec *timeout)
{
    if (!timeout)
        return NO_DEADLINE;
    return timeout->tv_sec || timeout->tv_nsec ? timers_after(timeout) : 0;
}

/* Watches for all that `fds` asks for; how many, or -1 if one of them is out of our reach. */
static int watch_all(struct poller_watch *watches, const struct pollfd *fds, nfds_t count)
{
    int used = 0;
    nfds_t i;

    for (i = 0; i < count; i++) {
        if (fds[i].fd < 0)
            continue;
        if (!poller_covers(fds[i].fd))
            return -1;
        if (fds[i].events & (POLLOUT | POLLWRNORM | POLLWRBAND))
            poller_watch(&watches[used++], fds[i].fd, DIRECTION_OUT, false);
        /* Also for no event at all: errors are always reported. */
        if (fds[i].events & ~(POLLOUT | POLLWRNORM | POLLWRBAND) || !fds[i].events)
            poller_watch(&watches[used++], fds[i].fd, DIRECTION_IN, false);
    }
    return used;
}

/* The kernel's value of poll(), or -EPERM when the wait must happen at home. */
static long poll_watched(struct poller_watch *watches, struct pollfd *fds, nfds_t count,
                         uint64_t deadline_ns)
{
    for (;;) {
        int used = watch_all(watches, fds, count);
        long result;

        if (used < 0)
            return -EPERM;
        result = sys_poll_now(fds, count);
        if (result)
            return result;
        result = io_wait(watches, (unsigned)used, deadline_ns, false);
        if (result == -ETIMEDOUT)
            return sys_poll_now(fds, count);
        if (result)
            return result;
    }
}

static long poll_parking(struct pollfd *fds, nfds_t count, uint64_t deadline_ns)
{
    struct poller_watch on_stack[2 * WATCHES_ON_STACK], *watches = on_stack;
    long result;

    if (count > WATCHES_ON_STACK) {
        watches = calloc(2 * count, sizeof *watches);
        if (!watches)
            return -ENOMEM;
    }
    result = poll_watched(watches, fds, count, deadline_ns);
    if (watches != on_stack)
        free(watches);
    return result;
}

/* As poll_parking(), but tries first; *home is set when the caller must wait at home. */
static long poll_aboard(struct pollfd *fds, nfds_t count, uint64_t deadline_ns, bool *home)
{
    long result;

    home_cancellation_point(uthread_aboard);
    result = deadline_ns == 0 ? sys_poll_now(fds, count) : poll_parking(fds, count, deadline_ns);
    *home = result == -EPERM;
    return result;
}

INTERPOSE int poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
    bool home = true;
    long result = 0;

    if (uthread_aboard)
        result = poll_aboard(fds, count, timeout_ms ? deadline_after_ms(timeout_ms) : 0, &home);
    if (home)
        return AT_HOME(int, REAL(poll)(fds, count, timeout_ms));
    return (int)sys_result(result);
}

/* A mask for the time of the call that differs from the thread's own is the kernel's business. */
static bool same_mask(const sigset_t *mask)
{
    uint64_t bits;

    if (!mask)
        return true;
    memcpy(&bits, mask, sizeof bits);
    return bits == uthread_aboard->signal_mask;
}

INTERPOSE int ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
                    const sigset_t *mask)
{
    bool home = true;
    long result = 0;

    if (uthread_aboard && same_mask(mask) && (!timeout || timers_valid(timeout))) {
        uint64_t deadline_ns = deadline_after(timeout);

        result = poll_aboard(fds, count, deadline_ns, &home);
    }
    if (home)
        return AT_HOME(int, REAL(ppoll)(fds, count, timeout, mask));
    return (int)sys_result(result);
}

/* select() as the kernel defines it in terms of poll(). */
#define SELECT_IN     (POLLRDNORM | POLLRDBAND | POLLIN | POLLHUP | POLLERR)
#define SELECT_OUT    (POLLWRBAND | POLLWRNORM | POLLOUT | POLLERR)
#define SELECT_EXCEPT POLLPRI

static nfds_t select_to_poll(struct pollfd *fds, int count, const fd_set *in, const fd_set *out,
                             const fd_set *except)
{
    nfds_t used = 0;
    int fd;

    for (fd = 0; fd < count; fd++) {
        short events = 0;

        if (in && FD_ISSET(fd, in))
            events |= POLLIN;
        if (out && FD_ISSET(fd, out))
            events |= POLLOUT;
        if (except && FD_ISSET(fd, except))
            events |= POLLPRI;
        if (events)
            fds[used++] = (struct pollfd){.fd = fd, .events = events};
    }
    return used;
}

static int mark(fd_set *set, const struct pollfd *fd, short asked, short bits)
{
    if (!set || !(fd->events & asked))
        return 0;
    if (fd->revents & bits)
        return 1;
    FD_CLR(fd->fd, set);
    return 0;
}

static long poll_to_select(const struct pollfd *fds, nfds_t used, fd_set *in, fd_set *out,
                           fd_set *except)
{
    int marked = 0;
    nfds_t i;

    for (i = 0; i < used; i++) {
        if (fds[i].revents & POLLNVAL)
            return -EBADF;
        marked += mark(in, &fds[i], POLLIN, SELECT_IN);
        marked += mark(out, &fds[i], POLLOUT, SELECT_OUT);
        marked += mark(except, &fds[i], POLLPRI, SELECT_EXCEPT);
    }
    return marked;
}

/* Whether the sets fit the libc type; larger ones are allocated by the program and go home. */
static bool selectable(int count)
{
    return uthread_aboard && count >= 0 && count <= FD_SETSIZE;
}

static long select_aboard(int count, fd_set *in, fd_set *out, fd_set *except, uint64_t deadline_ns,
                          bool *home)
{
    struct pollfd *fds = calloc((size_t)count + 1, sizeof *fds);
    nfds_t used;
    long result;

    if (!fds)
        return -ENOMEM;
    used = select_to_poll(fds, count, in, out, except);
    result = poll_aboard(fds, used, deadline_ns, home);
    if (result >= 0)
        result = poll_to_select(fds, used, in, out, except);
    free(fds);
    return result;
}

/* Linux leaves the time that was left in *timeout. */
static void store_left(struct timeval *timeout, uint64_t deadline_ns)
{
    uint64_t now, left;

    if (!timeout || deadline_ns == 0)
        return;
    now = timers_now();
    left = deadline_ns > now ? deadline_ns - now : 0;
    timeout->tv_sec = (time_t)(left / NS_PER_S);
    timeout->tv_usec = (suseconds_t)(left % NS_PER_S / 1000);
}

INTERPOSE int select(int count, fd_set *restrict in, fd_set *restrict out, fd_set *restrict except,
                     struct timeval *restrict timeout)
{
    uint64_t deadline_ns = NO_DEADLINE;
    bool home = true;
    long result = 0;

    if (selectable(count) && (!timeout || (timeout->tv_sec >= 0 && timeout->tv_usec >= 0))) {
        if (timeout)
            deadline_ns =
                timeout->tv_sec || timeout->tv_usec
                    ? timers_after(&(struct timespec){timeout->tv_sec + timeout->tv_usec / 1000000,
                                                      timeout->tv_usec % 1000000 * 1000})
                    : 0;
        result = select_aboard(count, in, out, except, deadline_ns, &home);
        if (!home)
            store_left(timeout, deadline_ns);
    }
    if (home)
        return AT_HOME(int, REAL(select)(count, in, out, except, timeout));
    return (int)sys_result(result);
}

INTERPOSE int pselect(int count, fd_set *restrict in, fd_set *restrict out, fd_set *restrict except,
                      const struct timespec *restrict timeout, const sigset_t *restrict mask)
{
    bool home = true;
    long result = 0;

    if (selectable(count) && same_mask(mask) && (!timeout || timers_valid(timeout))) {
        uint64_t deadline_ns = deadline_after(timeout);

        result = select_aboard(count, in, out, except, deadline_ns, &home);
    }
    if (home)
        return AT_HOME(int, REAL(pselect)(count, in, out, except, timeout, mask));
    return (int)sys_result(result);
}

/* The program's epoll set is itself a descriptor that becomes readable. */
static long epoll_aboard(int set, struct epoll_event *events, int most, uint64_t deadline_ns)
{
    bool waited = false;

    home_cancellation_point(uthread_aboard);
    for (;;) {
        struct poller_watch watch;
        long result;

        poller_watch(&watch, set, DIRECTION_IN, true);
        result = sys_6(SYS_epoll_pwait, set, events, most, 0, NULL, 8);
        if (result && waited)
            poller_pass_on(set, DIRECTION_IN);
        if (result || deadline_ns == 0)
            return result;
        waited = true;
        result = io_wait(&watch, 1, deadline_ns, false);
        if (result == -ETIMEDOUT)
            deadline_ns = 0;
        else if (result)
            return result;
    }
}

INTERPOSE int epoll_pwait(int set, struct epoll_event *events, int most, int timeout_ms,
                          const sigset_t *mask)
{
    long result = -EPERM;

    if (uthread_aboard && poller_covers(set) && same_mask(mask))
        result = epoll_aboard(set, events, most, timeout_ms ? deadline_after_ms(timeout_ms) : 0);
    if (result == -EPERM)
        return AT_HOME(int, REAL(epoll_pwait)(set, events, most, timeout_ms, mask));
    return (int)sys_result(result);
}

INTERPOSE int epoll_wait(int set, struct epoll_event *events, int most, int timeout_ms)
{
    return epoll_pwait(set, events, most, timeout_ms, NULL);
}

INTERPOSE int epoll_pwait2(int set, struct epoll_event *events, int most,
                           const struct timespec *timeout, const sigset_t *mask)
{
    long result = -EPERM;

    if (uthread_aboard && poller_covers(set) && same_mask(mask) &&
        (!timeout || timers_valid(timeout))) {
        uint64_t deadline_ns = deadline_after(timeout);

        result = epoll_aboard(set, events, most, deadline_ns);
    }
    if (result == -EPERM)
        return AT_HOME(int, REAL(epoll_pwait2)(set, events, most, timeout, mask));
    return (int)sys_result(result);
}
