#include "pscope/io.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "pscope/home.h"
#include "pscope/sys.h"
#include "pscope/timers.h"

/* Why a global: asking for SO_RCVTIMEO costs a system call per wait; hardly any program sets it. */
static atomic_bool time_limits;

void io_time_limits(void)
{
    atomic_store(&time_limits, true);
}

uint64_t io_deadline(int fd, enum direction direction)
{
    struct timeval limit = {0, 0};
    socklen_t size = sizeof limit;

    if (!atomic_load(&time_limits))
        return NO_DEADLINE;
    if (sys_5(SYS_getsockopt, fd, SOL_SOCKET, direction == DIRECTION_IN ? SO_RCVTIMEO : SO_SNDTIMEO,
              &limit, &size))
        return NO_DEADLINE;
    if (limit.tv_sec == 0 && limit.tv_usec == 0)
        return NO_DEADLINE;
    return timers_after(&(struct timespec){limit.tv_sec, limit.tv_usec * 1000});
}

long io_wait(struct poller_watch *watches, unsigned count, uint64_t deadline_ns, bool restarts)
{
    struct uthread *self = uthread_aboard;
    enum attended attended;

    if (deadline_ns <= 1)
        return -ETIMEDOUT;
    switch (poller_wait(self, watches, count, deadline_ns, ATTENTION_SIGNAL | ATTENTION_CANCEL)) {
    case WAKE_TIMEOUT:
        return -ETIMEDOUT;
    case WAKE_ARMED:
        return -EPERM;
    case WAKE_INTERRUPT:
        attended = home_attend(self, true);
        return attended == ATTENDED_SIGNAL || (attended == ATTENDED_RESTART && !restarts) ? -EINTR
                                                                                          : 0;
    default:
        return 0;
    }
}

long io_perform(int fd, enum direction direction, const struct io_call *call, bool may_block,
                bool *cannot)
{
    const long *a = call->arguments;
    uint64_t deadline_ns = 0;
    bool waited = false;

    home_cancellation_point(uthread_aboard);
    for (;;) {
        struct poller_watch watch;
        long result;

        poller_watch(&watch, fd, direction, true);
        result = sys_6(call->number, a[0], a[1], a[2], a[3], a[4], a[5]);
        if (result != -EAGAIN && waited)
            poller_pass_on(fd, direction);
        if (result != -EAGAIN || !may_block || !poller_blocking(fd))
            return result;
        if (direction == DIRECTION_IN && poller_shut(fd)) {
            *cannot = true;
            return -EPERM;
        }
        if (!waited)
            deadline_ns = io_deadline(fd, direction);
        waited = true;
        result = io_wait(&watch, 1, deadline_ns, deadline_ns == NO_DEADLINE);
        if (result == -EPERM) {
            *cannot = true;
            return result;
        }
        if (result)
            return result == -ETIMEDOUT ? -EAGAIN : result;
    }
}

void io_broken_pipe(void)
{
    uint64_t set = SIGNAL_BIT(SIGPIPE);
    struct timespec now = {0, 0};

    /* The kernel left it pending at the carrier, which blocks it; it belongs to the user thread. */
    sys_4(SYS_rt_sigtimedwait, &set, NULL, &now, sizeof set);
    AT_HOME(long, sys_3(SYS_tgkill, sys_0(SYS_getpid), sys_0(SYS_gettid), SIGPIPE));
}
