/* Sleeping: a park with a deadline and nobody else to wake it. */
#include <errno.h>

#include "pscope/carrier.h"
#include "pscope/home.h"
#include "pscope/process.h"
#include "pscope/real.h"
#include "pscope/sys.h"
#include "pscope/timers.h"

/* 0 when the deadline was reached, EINTR after a signal handler. */
static int sleep_until(struct uthread *self, uint64_t deadline_ns)
{
    home_cancellation_point(self);
    if (deadline_ns <= timers_now()) {
        carrier_yield(self);
        return 0;
    }
    for (;;) {
        enum wake wake;

        park_begin(self);
        wake = park_commit(self, deadline_ns, ATTENTION_SIGNAL | ATTENTION_CANCEL);
        if (wake == WAKE_TIMEOUT)
            return 0;
        if (home_attend(self, true) != ATTENDED_NOTHING)
            return EINTR;
    }
}

static void store_left(struct timespec *remaining, uint64_t deadline_ns)
{
    uint64_t now = timers_now();
    uint64_t left = deadline_ns > now ? deadline_ns - now : 0;

    if (!remaining)
        return;
    remaining->tv_sec = (time_t)(left / NS_PER_S);
    remaining->tv_nsec = (long)(left % NS_PER_S);
}

INTERPOSE int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                              struct timespec *remaining)
{
    struct uthread *self = uthread_aboard;
    uint64_t deadline_ns;
    int result;

    if (!self || (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) || !timers_valid(time))
        return AT_HOME(int, REAL(clock_nanosleep)(clock, flags, time, remaining));
    deadline_ns = flags & TIMER_ABSTIME ? timers_deadline(clock, time) : timers_after(time);
    result = sleep_until(self, deadline_ns);
    if (result == EINTR && !(flags & TIMER_ABSTIME))
        store_left(remaining, deadline_ns);
    return result;
}

INTERPOSE int nanosleep(const struct timespec *duration, struct timespec *remaining)
{
    return (int)sys_result(-clock_nanosleep(CLOCK_MONOTONIC, 0, duration, remaining));
}

INTERPOSE int usleep(useconds_t duration_us)
{
    struct timespec duration = {duration_us / 1000000, (long)(duration_us % 1000000) * 1000};

    return nanosleep(&duration, NULL);
}

INTERPOSE unsigned sleep(unsigned duration_s)
{
    struct timespec left = {duration_s, 0};
    int saved = errno;

    if (nanosleep(&left, &left) == 0)
        return 0;
    errno = saved;
    return (unsigned)left.tv_sec + (left.tv_nsec >= NS_PER_S / 2);
}
