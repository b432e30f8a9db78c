/*
 * Condition variables. Once there are user threads, all wait in the parking lot: glibc's own wait
 * unlocks the mutex behind our back, where a user thread may be parked. Who waited in glibc's
 * object before that is still found there: a signal goes to one of either, a broadcast to all.
 */
#include <errno.h>
#include <limits.h>

#include "pscope/home.h"
#include "pscope/parking.h"
#include "pscope/process.h"
#include "pscope/real.h"
#include "pscope/timers.h"

/* glibc's condition variable keeps its attributes in the low bits of __wrefs. */
#define WREFS_SHARED    1
#define WREFS_MONOTONIC 2

/* Bits of glibc's mutex __kind. */
#define KIND_TYPE   0x3
#define KIND_ROBUST 0x10

static bool is_shared(const pthread_cond_t *cond)
{
    return cond->__data.__wrefs & WREFS_SHARED;
}

/* Would glibc's unlock refuse? Asked first, since the waiter is already in the lot then. */
static bool not_owner(const pthread_mutex_t *mutex)
{
    int kind = mutex->__data.__kind;

    return ((kind & KIND_TYPE) == PTHREAD_MUTEX_ERRORCHECK ||
            (kind & KIND_TYPE) == PTHREAD_MUTEX_RECURSIVE || (kind & KIND_ROBUST)) &&
           mutex->__data.__owner != gettid();
}

static void unlock(void *mutex)
{
    pthread_mutex_unlock(mutex);
}

static void lock(void *mutex)
{
    pthread_mutex_lock(mutex);
}

/* The mutex may bind its owner to its home: then the whole wait happens there. */
static enum wake wait_bound(const struct parking_wait *wait)
{
    enum wake wake;

    home_bind();
    wake = parking_wait_kernel(wait, lock);
    home_unbind();
    return wake;
}

static int wait_parked(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t deadline_ns)
{
    struct parking_wait wait = {.key = cond,
                                .release = unlock,
                                .argument = mutex,
                                .deadline_ns = deadline_ns,
                                .heed = ATTENTION_SIGNAL | ATTENTION_CANCEL,
                                .resumes = true};
    struct uthread *self = uthread_aboard;
    enum wake wake;
    int result;

    if (not_owner(mutex))
        return EPERM;
    if (self) {
        home_cancellation_point(self);
        wake = parking_wait(&wait);
    } else {
        wake = wait_bound(&wait);
    }
    result = pthread_mutex_lock(mutex);
    if (wake == WAKE_INTERRUPT)
        home_attend(self, true); /* then it is a spurious wake-up, as POSIX allows */
    if (result)
        return result;
    return wake == WAKE_TIMEOUT ? ETIMEDOUT : 0;
}

/* Only glibc can wake other processes; and without user threads all is glibc's. */
static bool is_glibcs(const pthread_cond_t *cond)
{
    return !process_active || is_shared(cond);
}

INTERPOSE int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    if (is_glibcs(cond))
        return AT_HOME(int, REAL(pthread_cond_wait)(cond, mutex));
    return wait_parked(cond, mutex, NO_DEADLINE);
}

static int timed_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                      const struct timespec *when)
{
    if (when->tv_nsec < 0 || when->tv_nsec >= NS_PER_S)
        return EINVAL;
    return wait_parked(cond, mutex, timers_deadline(clock, when));
}

INTERPOSE int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                                     const struct timespec *when)
{
    if (is_glibcs(cond))
        return AT_HOME(int, REAL(pthread_cond_timedwait)(cond, mutex, when));
    return timed_wait(cond, mutex,
                      cond->__data.__wrefs & WREFS_MONOTONIC ? CLOCK_MONOTONIC : CLOCK_REALTIME,
                      when);
}

INTERPOSE int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                                     const struct timespec *when)
{
    if (is_glibcs(cond))
        return AT_HOME(int, REAL(pthread_cond_clockwait)(cond, mutex, clock, when));
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return EINVAL;
    return timed_wait(cond, mutex, clock, when);
}

INTERPOSE int pthread_cond_signal(pthread_cond_t *cond)
{
    if (process_active && parking_wake(cond, 1))
        return 0;
    return REAL(pthread_cond_signal)(cond);
}

INTERPOSE int pthread_cond_broadcast(pthread_cond_t *cond)
{
    if (process_active)
        parking_wake(cond, UINT_MAX);
    return REAL(pthread_cond_broadcast)(cond);
}
