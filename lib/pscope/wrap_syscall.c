/* syscall(): the blocking numbers go the way of their functions, private futexes are parked. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "pscope/home.h"
#include "pscope/io.h"
#include "pscope/parking.h"
#include "pscope/process.h"
#include "pscope/real.h"
#include "pscope/sys.h"
#include "pscope/timers.h"

struct futex_wait {
    const unsigned *word;
    unsigned value;
};

static bool unchanged(void *argument)
{
    const struct futex_wait *wait = argument;

    return __atomic_load_n(wait->word, __ATOMIC_SEQ_CST) == wait->value;
}

static long futex_park(const unsigned *word, unsigned value, uint64_t deadline_ns)
{
    struct futex_wait futex = {word, value};
    struct parking_wait wait = {.key = word,
                                .must_wait = unchanged,
                                .argument = &futex,
                                .deadline_ns = deadline_ns,
                                .heed = ATTENTION_SIGNAL};

    switch (parking_wait(&wait)) {
    case WAKE_ARMED:
        return -EAGAIN;
    case WAKE_TIMEOUT:
        return -ETIMEDOUT;
    case WAKE_INTERRUPT:
        return home_attend(uthread_self, false) == ATTENDED_SIGNAL ? -EINTR : 0;
    default:
        return 0;
    }
}

static uint64_t futex_deadline(int operation, const struct timespec *time)
{
    if (!time)
        return NO_DEADLINE;
    if ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT)
        return timers_after(time);
    return timers_deadline(operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC,
                           time);
}

/*
 * Waits on a private word by user threads are parked. Everything else is the kernel's, at home if
 * it may wait; a wake-up goes to both, and counts both.
 */
static long futex(const long a[6])
{
    const unsigned *word = (const unsigned *)a[0];
    int operation = (int)a[1], command = operation & FUTEX_CMD_MASK;
    long woken = 0, more;

    switch (command) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
        if (uthread_aboard && (operation & FUTEX_PRIVATE_FLAG) &&
            (command == FUTEX_WAIT || (unsigned)a[5] == FUTEX_BITSET_MATCH_ANY))
            return futex_park(word, (unsigned)a[2],
                              futex_deadline(operation, (const struct timespec *)a[3]));
        return AT_HOME(long, sys_6(SYS_futex, a[0], a[1], a[2], a[3], a[4], a[5]));
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
        if (process_active && (operation & FUTEX_PRIVATE_FLAG))
            woken = parking_wake(word, (unsigned)a[2]);
        if (woken >= a[2])
            return woken;
        more = sys_6(SYS_futex, a[0], a[1], a[2] - woken, a[3], a[4], a[5]);
        return more < 0 && !woken ? more : woken + (more > 0 ? more : 0);
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
        /* Who is parked is not moved but woken: a wake-up without cause is allowed. */
        if (process_active)
            parking_wake(word, UINT_MAX);
        return sys_6(SYS_futex, a[0], a[1], a[2], a[3], a[4], a[5]);
    default:
        return AT_HOME(long, sys_6(SYS_futex, a[0], a[1], a[2], a[3], a[4], a[5]));
    }
}

/* The numbers whose functions switch threads: 1 and the function's value when it is one. */
static bool as_function(long number, const long a[6], long *result)
{
    switch (number) {
    case SYS_read:
        *result = read((int)a[0], (void *)a[1], (size_t)a[2]);
        return true;
    case SYS_write:
        *result = write((int)a[0], (const void *)a[1], (size_t)a[2]);
        return true;
    case SYS_close:
        *result = close((int)a[0]);
        return true;
    case SYS_recvmmsg:
        *result = recvmmsg((int)a[0], (struct mmsghdr *)a[1], (unsigned)a[2], (int)a[3],
                           (struct timespec *)a[4]);
        return true;
    case SYS_sendmmsg:
        *result = sendmmsg((int)a[0], (struct mmsghdr *)a[1], (unsigned)a[2], (int)a[3]);
        return true;
#ifdef SYS_epoll_wait /* not on machines younger than epoll_pwait() */
    case SYS_epoll_wait:
        *result = epoll_wait((int)a[0], (struct epoll_event *)a[1], (int)a[2], (int)a[3]);
        return true;
#endif
    case SYS_nanosleep:
        *result = nanosleep((const struct timespec *)a[0], (struct timespec *)a[1]);
        return true;
    case SYS_sched_yield:
        *result = sched_yield();
        return true;
    case SYS_gettid:
        *result = gettid();
        return true;
    case SYS_tgkill:
        *result = tgkill((pid_t)a[0], (pid_t)a[1], (int)a[2]);
        return true;
    case SYS_tkill:
        *result = tgkill(getpid(), (pid_t)a[0], (int)a[1]);
        return true;
    default:
        return false;
    }
}

/* Other numbers that may wait, or that act on the calling kernel thread. */
static bool belongs_home(long number)
{
    switch (number) {
    case SYS_epoll_pwait:
    case SYS_epoll_pwait2:
#ifdef SYS_poll
    case SYS_poll:
#endif
    case SYS_ppoll:
#ifdef SYS_select
    case SYS_select:
#endif
    case SYS_pselect6:
    case SYS_accept:
    case SYS_accept4:
    case SYS_connect:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_flock:
    case SYS_wait4:
    case SYS_waitid:
    case SYS_clock_nanosleep:
    case SYS_rt_sigtimedwait:
    case SYS_rt_sigsuspend:
    case SYS_rt_sigprocmask:
    case SYS_prctl:
    case SYS_capset:
    case SYS_setpriority:
    case SYS_sched_setaffinity:
    case SYS_io_uring_enter:
        return true;
    default:
        return false;
    }
}

INTERPOSE long syscall(long number, ...)
{
    long a[6], result;
    va_list list;
    int i;

    va_start(list, number);
    for (i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_futex)
        return sys_result(futex(a));
    if (uthread_aboard && as_function(number, a, &result))
        return result;
    if (belongs_home(number))
        return AT_HOME(long, sys_result(sys_6(number, a[0], a[1], a[2], a[3], a[4], a[5])));
    return sys_result(sys_6(number, a[0], a[1], a[2], a[3], a[4], a[5]));
}
