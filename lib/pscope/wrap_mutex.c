/* Mutexes: glibc's own objects; a user thread that finds one locked parks at its address. */
#include <errno.h>

#include "pscope/carrier.h"
#include "pscope/home.h"
#include "pscope/parking.h"
#include "pscope/process.h"
#include "pscope/real.h"
#include "pscope/sys.h"
#include "pscope/timers.h"

/* Bits of glibc's __kind beside the type in its lowest two. */
#define KIND_TYPE    0x3
#define KIND_INHERIT 0x20
#define KIND_PROTECT 0x40
#define KIND_SHARED  0x80

/* The kernel checks who owns a priority-inheriting mutex, so its owner stays at home. */
static bool binds(const pthread_mutex_t *mutex)
{
    return mutex->__data.__kind & (KIND_INHERIT | KIND_PROTECT);
}

static int attempt(void *mutex)
{
    return REAL(pthread_mutex_trylock)(mutex);
}

/*
 * The kinds of a mutex without attributes and of one that spins first, as named's do; glibc, too,
 * compares the whole word. What glibc does with one that is free, or that nobody waits for, is done
 * here in place, since these are most of all calls. Its __lock is 0 free, 1 held, 2 held and waited
 * for in the kernel.
 */
static inline bool is_plain(const pthread_mutex_t *mutex)
{
    int kind = mutex->__data.__kind;

    return kind == PTHREAD_MUTEX_TIMED_NP || kind == PTHREAD_MUTEX_ADAPTIVE_NP;
}

static inline bool take_plain(const struct uthread *self, pthread_mutex_t *mutex)
{
    int expected = 0;

    if (!__atomic_compare_exchange_n(&mutex->__data.__lock, &expected, 1, false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED))
        return false;
    mutex->__data.__owner = self->tid;
    mutex->__data.__nusers++;
    return true;
}

static inline void give_plain(pthread_mutex_t *mutex)
{
    mutex->__data.__owner = 0;
    mutex->__data.__nusers--;
    /* Sequentially consistent: parking_wake() must not look for waiters before. */
    if (__atomic_exchange_n(&mutex->__data.__lock, 0, __ATOMIC_SEQ_CST) > 1)
        sys_futex_wake(&mutex->__data.__lock, 1);
}

static bool own_error_checking(const struct uthread *self, const pthread_mutex_t *mutex)
{
    return (mutex->__data.__kind & KIND_TYPE) == PTHREAD_MUTEX_ERRORCHECK &&
           mutex->__data.__owner == self->tid;
}

/* Binds around a lock operation; the bond stays when it succeeded. */
static int bound_lock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *when)
{
    int result;

    home_bind();
    result =
        when ? REAL(pthread_mutex_clocklock)(mutex, clock, when) : REAL(pthread_mutex_lock)(mutex);
    if (result && result != EOWNERDEAD)
        home_unbind();
    return result;
}

/* The mutex was found locked. `when` NULL: no limit. */
static int lock_contended(struct uthread *self, pthread_mutex_t *mutex, clockid_t clock,
                          const struct timespec *when)
{
    uint64_t deadline_ns = NO_DEADLINE;

    if (own_error_checking(self, mutex))
        return EDEADLK;
    if (mutex->__data.__kind & KIND_SHARED)
        return AT_HOME(int, when ? REAL(pthread_mutex_clocklock)(mutex, clock, when)
                                 : REAL(pthread_mutex_lock)(mutex));
    if (when) {
        if (when->tv_nsec < 0 || when->tv_nsec >= NS_PER_S)
            return EINVAL;
        deadline_ns = timers_deadline(clock, when);
        if (deadline_ns <= timers_now())
            return ETIMEDOUT;
    }
    return parking_acquire(mutex, attempt, EBUSY, deadline_ns, false);
}

static int lock_timed(struct uthread *self, pthread_mutex_t *mutex, clockid_t clock,
                      const struct timespec *when)
{
    int result;

    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return EINVAL;
    if (binds(mutex))
        return bound_lock(mutex, clock, when);
    result = attempt(mutex);
    return result == EBUSY ? lock_contended(self, mutex, clock, when) : result;
}

/*
 * What is rare in lock and unlock stays out of their bodies: then the compiler lets them save no
 * registers, and a system-scope thread's call is a jump to libc's function.
 */
#define RARE __attribute__((noinline, cold))

static RARE int lock_slowly(struct uthread *self, pthread_mutex_t *mutex)
{
    int result;

    if (!self)
        return REAL(pthread_mutex_lock)(mutex);
    if (binds(mutex))
        return bound_lock(mutex, CLOCK_REALTIME, NULL);
    result = attempt(mutex);
    return result == EBUSY ? lock_contended(self, mutex, CLOCK_REALTIME, NULL) : result;
}

INTERPOSE int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    struct uthread *self = uthread_aboard;

    if (self && is_plain(mutex) && take_plain(self, mutex))
        return 0;
    if (!self && real_functions.ready)
        return REAL_AT_ONCE(pthread_mutex_lock)(mutex);
    return lock_slowly(self, mutex);
}

INTERPOSE int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *when)
{
    struct uthread *self = uthread_aboard;

    return self ? lock_timed(self, mutex, CLOCK_REALTIME, when)
                : REAL(pthread_mutex_timedlock)(mutex, when);
}

INTERPOSE int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
                                      const struct timespec *when)
{
    struct uthread *self = uthread_aboard;

    return self ? lock_timed(self, mutex, clock, when)
                : REAL(pthread_mutex_clocklock)(mutex, clock, when);
}

INTERPOSE int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    int result;

    if (!uthread_aboard || !binds(mutex))
        return REAL(pthread_mutex_trylock)(mutex);
    home_bind();
    result = REAL(pthread_mutex_trylock)(mutex);
    if (result && result != EOWNERDEAD)
        home_unbind();
    return result;
}

/*
 * A thread that unlocks and locks again at once would keep the mutex from the one it has woken,
 * time and again on one virtual CPU. Who lost that race once is run first the next time.
 */
static void give_way(void)
{
    struct uthread *self = uthread_aboard;

    if (!self || !self->gives_way)
        return;
    self->gives_way = false;
    carrier_yield(self);
}

static RARE int unlock_slowly(pthread_mutex_t *mutex)
{
    bool bound;
    int result;

    if (!process_active)
        return REAL(pthread_mutex_unlock)(mutex);
    /* Before the unlock: afterwards another thread may destroy the mutex. */
    bound = binds(mutex);
    result = REAL(pthread_mutex_unlock)(mutex);
    if (result)
        return result;
    if (bound)
        home_unbind();
    else if (parking_wake(mutex, 1))
        give_way();
    return 0;
}

static RARE int wake_waiter(pthread_mutex_t *mutex)
{
    if (parking_wake(mutex, 1))
        give_way();
    return 0;
}

INTERPOSE int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    if (!process_active && real_functions.ready)
        return REAL_AT_ONCE(pthread_mutex_unlock)(mutex);
    if (!process_active || !is_plain(mutex))
        return unlock_slowly(mutex);
    give_plain(mutex);
    return parking_waited_for(mutex) ? wake_waiter(mutex) : 0;
}
