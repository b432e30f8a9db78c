/* Semaphores: glibc's own objects; a user thread that finds none left parks. */
#include <errno.h>

#include "pscope/home.h"
#include "pscope/parking.h"
#include "pscope/process.h"
#include "pscope/real.h"
#include "pscope/sys.h"
#include "pscope/timers.h"

/* glibc's semaphore: the value, then whether other processes may use it. */
struct semaphore {
    uint64_t value;
    int shared;
};

static bool waits_in_kernel(const sem_t *semaphore)
{
    return !uthread_aboard || ((const struct semaphore *)(const void *)semaphore)->shared;
}

static int attempt(void *semaphore)
{
    return REAL(sem_trywait)(semaphore) ? errno : 0;
}

static int acquire(sem_t *semaphore, clockid_t clock, const struct timespec *when)
{
    uint64_t deadline_ns = NO_DEADLINE;
    int saved = errno;
    int result;

    home_cancellation_point(uthread_aboard);
    result = attempt(semaphore);
    if (result == EAGAIN && when) {
        if (when->tv_nsec < 0 || when->tv_nsec >= NS_PER_S)
            return (int)sys_result(-EINVAL);
        deadline_ns = timers_deadline(clock, when);
        if (deadline_ns <= timers_now())
            return (int)sys_result(-ETIMEDOUT);
    }
    if (result == EAGAIN)
        result = parking_acquire(semaphore, attempt, EAGAIN, deadline_ns, true);
    errno = saved;
    return (int)sys_result(-result);
}

INTERPOSE int sem_wait(sem_t *semaphore)
{
    if (waits_in_kernel(semaphore))
        return AT_HOME(int, REAL(sem_wait)(semaphore));
    return acquire(semaphore, CLOCK_REALTIME, NULL);
}

INTERPOSE int sem_timedwait(sem_t *semaphore, const struct timespec *when)
{
    if (waits_in_kernel(semaphore))
        return AT_HOME(int, REAL(sem_timedwait)(semaphore, when));
    return acquire(semaphore, CLOCK_REALTIME, when);
}

INTERPOSE int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *when)
{
    if (waits_in_kernel(semaphore))
        return AT_HOME(int, REAL(sem_clockwait)(semaphore, clock, when));
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return (int)sys_result(-EINVAL);
    return acquire(semaphore, clock, when);
}

INTERPOSE int sem_post(sem_t *semaphore)
{
    int result = REAL(sem_post)(semaphore);

    if (process_active && result == 0)
        parking_wake(semaphore, 1);
    return result;
}
