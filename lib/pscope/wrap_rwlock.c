/* Read-write locks: glibc's own objects; a user thread that finds one taken parks. */
#include <errno.h>
#include <limits.h>

#include "pscope/home.h"
#include "pscope/parking.h"
#include "pscope/process.h"
#include "pscope/real.h"
#include "pscope/timers.h"

typedef int attempt_function(void *lock);

static int attempt_read(void *lock)
{
    return REAL(pthread_rwlock_tryrdlock)(lock);
}

static int attempt_write(void *lock)
{
    return REAL(pthread_rwlock_trywrlock)(lock);
}

/* Where a waiting writer keeps readers out, it must wait where glibc's readers see it. */
static bool waits_in_kernel(const pthread_rwlock_t *lock)
{
    return !uthread_aboard || lock->__data.__shared ||
           lock->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

/* The attempt was refused with EBUSY: wait. `when` NULL: without limit. */
static int wait_parked(pthread_rwlock_t *lock, attempt_function *attempt, clockid_t clock,
                       const struct timespec *when)
{
    uint64_t deadline_ns = NO_DEADLINE;

    if (lock->__data.__cur_writer == uthread_aboard->tid)
        return EDEADLK;
    if (when) {
        deadline_ns = timers_deadline(clock, when);
        if (deadline_ns <= timers_now())
            return ETIMEDOUT;
    }
    return parking_acquire(lock, attempt, EBUSY, deadline_ns, false);
}

static bool bad_time(clockid_t clock, const struct timespec *when)
{
    return (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) || when->tv_nsec < 0 ||
           when->tv_nsec >= NS_PER_S;
}

static int acquire(pthread_rwlock_t *lock, attempt_function *attempt, clockid_t clock,
                   const struct timespec *when)
{
    int result = attempt(lock);

    return result == EBUSY ? wait_parked(lock, attempt, clock, when) : result;
}

INTERPOSE int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    if (waits_in_kernel(lock))
        return AT_HOME(int, REAL(pthread_rwlock_rdlock)(lock));
    return acquire(lock, attempt_read, CLOCK_REALTIME, NULL);
}

INTERPOSE int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    if (waits_in_kernel(lock))
        return AT_HOME(int, REAL(pthread_rwlock_wrlock)(lock));
    return acquire(lock, attempt_write, CLOCK_REALTIME, NULL);
}

INTERPOSE int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock,
                                         const struct timespec *when)
{
    if (waits_in_kernel(lock))
        return AT_HOME(int, REAL(pthread_rwlock_clockrdlock)(lock, clock, when));
    return bad_time(clock, when) ? EINVAL : acquire(lock, attempt_read, clock, when);
}

INTERPOSE int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock,
                                         const struct timespec *when)
{
    if (waits_in_kernel(lock))
        return AT_HOME(int, REAL(pthread_rwlock_clockwrlock)(lock, clock, when));
    return bad_time(clock, when) ? EINVAL : acquire(lock, attempt_write, clock, when);
}

INTERPOSE int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *when)
{
    if (waits_in_kernel(lock))
        return AT_HOME(int, REAL(pthread_rwlock_timedrdlock)(lock, when));
    return bad_time(CLOCK_REALTIME, when) ? EINVAL
                                          : acquire(lock, attempt_read, CLOCK_REALTIME, when);
}

INTERPOSE int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *when)
{
    if (waits_in_kernel(lock))
        return AT_HOME(int, REAL(pthread_rwlock_timedwrlock)(lock, when));
    return bad_time(CLOCK_REALTIME, when) ? EINVAL
                                          : acquire(lock, attempt_write, CLOCK_REALTIME, when);
}

INTERPOSE int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    int result = REAL(pthread_rwlock_unlock)(lock);

    /* Any number of readers may go on, or one writer: all try again. */
    if (process_active && result == 0)
        parking_wake(lock, UINT_MAX);
    return result;
}
