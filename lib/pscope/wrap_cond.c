/*
 * Condition variables. From the first process-scope thread on everybody waits in the parking lot,
 * in the order of coming; glibc's object has only those who came before. A signal goes to one of
 * either, a broadcast to all of both.
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

static int wait_parked(struct uthread *self, pthread_cond_t *cond, pthread_mutex_t *mutex,
                       uint64_t deadline_ns)
{
    struct parking_wait wait = {.key = cond,
                                .release = unlock,
                                .argument = mutex,
                                .deadline_ns = deadline_ns,
                                .heed = ATTENTION_SIGNAL | ATTENTION_CANCEL};
    enum wake wake;
    int result;

    if (not_owner(mutex))
        return EPERM;
    home_cancellation_point(self);
    wake = parking_wait(&wait);
    result = pthread_mutex_lock(mutex);
    if (wake == WAKE_INTERRUPT)
        home_attend(self, true); /* then it is a spurious wake-up, as POSIX allows */
    if (result)
        return result;
    return wake == WAKE_TIMEOUT ? ETIMEDOUT : 0;
}

static void reacquire(void *mutex)
{
    pthread_mutex_lock(mutex);
}

/*
 * Not aboard, in the lot all the same: inside of glibc's wait the mutex would be unlocked without
 * a look at the user threads that are parked for it.
 */
static int wait_in_kernel(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                          const struct timespec *when)
{
    struct parking_wait wait = {.key = cond, .release = unlock, .argument = mutex};
    enum wake wake;
    int result;

    if (not_owner(mutex))
        return EPERM;
    wake = parking_wait_in_kernel(&wait, clock, when, reacquire);
    result = pthread_mutex_lock(mutex);
    if (result)
        return result;
    return wake == WAKE_TIMEOUT ? ETIMEDOUT : 0;
}

/* `when` NULL: no limit. */
static int wait_in_lot(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                       const struct timespec *when)
{
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return EINVAL;
    if (when && (when->tv_nsec < 0 || when->tv_nsec >= NS_PER_S))
        return EINVAL;
    if (!uthread_aboard)
        return wait_in_kernel(cond, mutex, clock, when);
    return wait_parked(uthread_aboard, cond, mutex,
                       when ? timers_deadline(clock, when) : NO_DEADLINE);
}

INTERPOSE int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    if (!process_active || is_shared(cond))
        return AT_HOME(int, REAL(pthread_cond_wait)(cond, mutex));
    return wait_in_lot(cond, mutex, CLOCK_REALTIME, NULL);
}

INTERPOSE int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
                                     const struct timespec *when)
{
    if (!process_active || is_shared(cond))
        return AT_HOME(int, REAL(pthread_cond_timedwait)(cond, mutex, when));
    return wait_in_lot(cond, mutex,
                       cond->__data.__wrefs & WREFS_MONOTONIC ? CLOCK_MONOTONIC : CLOCK_REALTIME,
                       when);
}

INTERPOSE int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                                     const struct timespec *when)
{
    if (!process_active || is_shared(cond))
        return AT_HOME(int, REAL(pthread_cond_clockwait)(cond, mutex, clock, when));
    return wait_in_lot(cond, mutex, clock, when);
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
