/* pthread_mutex_timedlock and pthread_mutex_clocklock: never early, the right clock, the errors. */
#include "validator.h"

#include <errno.h>
#include <pthread.h>

enum { WAITERS = 20, WAIT_MS = 30 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int lock_until(clockid_t clock, const struct timespec *due)
{
    return clock == CLOCK_REALTIME ? pthread_mutex_timedlock(&mutex, due)
                                   : pthread_mutex_clocklock(&mutex, clock, due);
}

static void *expect_timeout(void *argument)
{
    clockid_t clock = *(const clockid_t *)argument;
    struct timespec due = validator_deadline(clock, WAIT_MS);
    REQUIRE_EQUAL(lock_until(clock, &due), ETIMEDOUT);
    int64_t due_ns = (int64_t)due.tv_sec * 1000000000 + due.tv_nsec;
    REQUIRE(validator_now_ns(clock) >= due_ns);
    return NULL;
}

static void *expect_lock(void *argument)
{
    clockid_t clock = *(const clockid_t *)argument;
    struct timespec due = validator_deadline(clock, 20000);
    REQUIRE_EQUAL(lock_until(clock, &due), 0);
    REQUIRE_EQUAL(pthread_mutex_unlock(&mutex), 0);
    return NULL;
}

static void *expect_immediate_errors(void *argument)
{
    clockid_t clock = *(const clockid_t *)argument;
    struct timespec past = {.tv_sec = 1};
    struct timespec invalid = {.tv_sec = 2000000000, .tv_nsec = 1000000000};
    REQUIRE_EQUAL(lock_until(clock, &past), ETIMEDOUT);
    REQUIRE_EQUAL(lock_until(clock, &invalid), EINVAL);
    return NULL;
}

static void run_all(void *(*run)(void *), clockid_t clock, bool hold)
{
    pthread_t threads[WAITERS];
    REQUIRE_EQUAL(pthread_mutex_lock(&mutex), 0);
    for (unsigned i = 0; i < WAITERS; i++) {
        threads[i] = validator_spawn(run, &clock);
    }
    if (!hold) {
        validator_sleep_ms(5);
        REQUIRE_EQUAL(pthread_mutex_unlock(&mutex), 0);
    }
    for (unsigned i = 0; i < WAITERS; i++) {
        validator_join(threads[i]);
    }
    if (hold) {
        REQUIRE_EQUAL(pthread_mutex_unlock(&mutex), 0);
    }
}

int main(void)
{
    static const clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC};
    struct timespec past = {.tv_sec = 1};
    for (unsigned i = 0; i < 2; i++) {
        run_all(expect_timeout, clocks[i], true);
        run_all(expect_lock, clocks[i], false);
        run_all(expect_immediate_errors, clocks[i], true);
        /* A free mutex is taken whatever the time says. */
        REQUIRE_EQUAL(lock_until(clocks[i], &past), 0);
        REQUIRE_EQUAL(pthread_mutex_unlock(&mutex), 0);
    }
    REQUIRE_EQUAL(pthread_mutex_clocklock(&mutex, CLOCK_PROCESS_CPUTIME_ID, &past), EINVAL);
    return validator_finish();
}
