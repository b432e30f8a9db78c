/* Read-write locks: readers together, writers alone, time-outs and errors. */
#include "validator.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>

enum { READERS = 8, WRITERS = 3, ROUNDS = 300, WAIT_MS = 10 };

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static unsigned first, second; /* a writer changes both; they differ only in the middle of it */
static pthread_barrier_t inside;

static void *read_pair(void *argument)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        REQUIRE_EQUAL(pthread_rwlock_rdlock(&lock), 0);
        unsigned seen = first;
        sched_yield();
        REQUIRE_EQUAL(first, seen);
        REQUIRE_EQUAL(second, seen);
        REQUIRE_EQUAL(pthread_rwlock_unlock(&lock), 0);
    }
    return argument;
}

static void *write_pair(void *argument)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        REQUIRE_EQUAL(pthread_rwlock_wrlock(&lock), 0);
        REQUIRE_EQUAL(second, first);
        first++;
        sched_yield();
        second++;
        REQUIRE_EQUAL(second, first);
        REQUIRE_EQUAL(pthread_rwlock_unlock(&lock), 0);
        sched_yield();
    }
    return argument;
}

static void check_exclusion(void)
{
    pthread_t threads[READERS + WRITERS];
    for (unsigned i = 0; i < READERS + WRITERS; i++) {
        threads[i] = validator_spawn(i < READERS ? read_pair : write_pair, NULL);
    }
    for (unsigned i = 0; i < READERS + WRITERS; i++) {
        validator_join(threads[i]);
    }
    REQUIRE_EQUAL(first, WRITERS * ROUNDS);
}

static void *read_with_all(void *argument)
{
    REQUIRE_EQUAL(pthread_rwlock_rdlock(&lock), 0);
    pthread_barrier_wait(&inside); /* passes only when all readers are in */
    REQUIRE_EQUAL(pthread_rwlock_unlock(&lock), 0);
    return argument;
}

static void check_readers_share(void)
{
    pthread_t threads[READERS];
    REQUIRE_EQUAL(pthread_barrier_init(&inside, NULL, READERS), 0);
    for (unsigned i = 0; i < READERS; i++) {
        threads[i] = validator_spawn(read_with_all, NULL);
    }
    for (unsigned i = 0; i < READERS; i++) {
        validator_join(threads[i]);
    }
    REQUIRE_EQUAL(pthread_barrier_destroy(&inside), 0);
}

static void require_not_early(clockid_t clock, const struct timespec *due)
{
    REQUIRE(validator_now_ns(clock) >= (int64_t)due->tv_sec * 1000000000 + due->tv_nsec);
}

/* Another thread holds the lock for writing. */
static void *try_in_vain(void *argument)
{
    struct timespec past = {.tv_sec = 1};
    struct timespec invalid = {.tv_sec = 2000000000, .tv_nsec = 1000000000};
    REQUIRE_EQUAL(pthread_rwlock_tryrdlock(&lock), EBUSY);
    REQUIRE_EQUAL(pthread_rwlock_trywrlock(&lock), EBUSY);
    REQUIRE_EQUAL(pthread_rwlock_timedrdlock(&lock, &past), ETIMEDOUT);
    REQUIRE_EQUAL(pthread_rwlock_timedwrlock(&lock, &past), ETIMEDOUT);
    REQUIRE_EQUAL(pthread_rwlock_timedrdlock(&lock, &invalid), EINVAL);
    REQUIRE_EQUAL(pthread_rwlock_timedwrlock(&lock, &invalid), EINVAL);
    struct timespec due = validator_deadline(CLOCK_REALTIME, WAIT_MS);
    REQUIRE_EQUAL(pthread_rwlock_timedrdlock(&lock, &due), ETIMEDOUT);
    require_not_early(CLOCK_REALTIME, &due);
    due = validator_deadline(CLOCK_REALTIME, WAIT_MS);
    REQUIRE_EQUAL(pthread_rwlock_timedwrlock(&lock, &due), ETIMEDOUT);
    require_not_early(CLOCK_REALTIME, &due);
    due = validator_deadline(CLOCK_MONOTONIC, WAIT_MS);
    REQUIRE_EQUAL(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &due), ETIMEDOUT);
    require_not_early(CLOCK_MONOTONIC, &due);
    due = validator_deadline(CLOCK_MONOTONIC, WAIT_MS);
    REQUIRE_EQUAL(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &due), ETIMEDOUT);
    require_not_early(CLOCK_MONOTONIC, &due);
    return argument;
}

static void *write_in_time(void *argument)
{
    struct timespec due = validator_deadline(CLOCK_MONOTONIC, 20000);
    REQUIRE_EQUAL(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &due), 0);
    REQUIRE_EQUAL(pthread_rwlock_unlock(&lock), 0);
    return argument;
}

static void check_timeouts(void)
{
    REQUIRE_EQUAL(pthread_rwlock_wrlock(&lock), 0);
    REQUIRE_EQUAL(pthread_rwlock_wrlock(&lock), EDEADLK);
    REQUIRE_EQUAL(pthread_rwlock_rdlock(&lock), EDEADLK);
    validator_join(validator_spawn(try_in_vain, NULL));
    pthread_t writer = validator_spawn(write_in_time, NULL);
    validator_sleep_ms(2);
    REQUIRE_EQUAL(pthread_rwlock_unlock(&lock), 0);
    validator_join(writer);
    /* After all the time-outs it is free again, and readers nest. */
    REQUIRE_EQUAL(pthread_rwlock_tryrdlock(&lock), 0);
    REQUIRE_EQUAL(pthread_rwlock_rdlock(&lock), 0);
    REQUIRE_EQUAL(pthread_rwlock_trywrlock(&lock), EBUSY);
    REQUIRE_EQUAL(pthread_rwlock_unlock(&lock), 0);
    REQUIRE_EQUAL(pthread_rwlock_unlock(&lock), 0);
    REQUIRE_EQUAL(pthread_rwlock_trywrlock(&lock), 0);
    REQUIRE_EQUAL(pthread_rwlock_unlock(&lock), 0);
}

/* Where writers are preferred, one that waits keeps new readers out. */
static void *write_soon(void *argument)
{
    REQUIRE_EQUAL(pthread_rwlock_wrlock(argument), 0);
    REQUIRE_EQUAL(pthread_rwlock_unlock(argument), 0);
    return NULL;
}

static void check_preferred_writer(void)
{
    pthread_rwlock_t preferring = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
    int result = 0;
    REQUIRE_EQUAL(pthread_rwlock_rdlock(&preferring), 0);
    pthread_t writer = validator_spawn(write_soon, &preferring);
    while ((result = pthread_rwlock_tryrdlock(&preferring)) == 0) {
        REQUIRE_EQUAL(pthread_rwlock_unlock(&preferring), 0);
        validator_sleep_ms(1);
    }
    REQUIRE_EQUAL(result, EBUSY);
    REQUIRE_EQUAL(pthread_rwlock_unlock(&preferring), 0);
    validator_join(writer);
    REQUIRE_EQUAL(pthread_rwlock_tryrdlock(&preferring), 0);
    REQUIRE_EQUAL(pthread_rwlock_unlock(&preferring), 0);
}

int main(void)
{
    check_preferred_writer();
    check_exclusion();
    check_readers_share();
    check_timeouts();
    REQUIRE_EQUAL(pthread_rwlock_destroy(&lock), 0);
    return validator_finish();
}
