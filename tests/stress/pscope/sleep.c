/* Sleeping: never early, many sleepers in the time of one, errors. */
#include "validator.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

enum { SLEEPERS = 200, SLEEP_MS = 100, ORDERED = 20 };

static int64_t order_start_ns;
static unsigned woken; /* under order_lock */
static pthread_mutex_t order_lock = PTHREAD_MUTEX_INITIALIZER;

static pthread_barrier_t all_there;

static void *sleep_once(void *argument)
{
    struct timespec left = {.tv_nsec = SLEEP_MS * 1000000};
    pthread_barrier_wait(&all_there);
    int64_t start_ns = validator_now_ns(CLOCK_MONOTONIC);
    REQUIRE_EQUAL(nanosleep(&left, NULL), 0);
    *(int64_t *)argument = validator_now_ns(CLOCK_MONOTONIC);
    REQUIRE(*(int64_t *)argument - start_ns >= (int64_t)SLEEP_MS * 1000000);
    return NULL;
}

static void check_many(void)
{
    pthread_t threads[SLEEPERS];
    int64_t woken_ns[SLEEPERS], last_ns = 0;
    REQUIRE_EQUAL(pthread_barrier_init(&all_there, NULL, SLEEPERS + 1), 0);
    for (unsigned i = 0; i < SLEEPERS; i++) {
        threads[i] = validator_spawn(sleep_once, &woken_ns[i]);
    }
    pthread_barrier_wait(&all_there);
    int64_t start_ns = validator_now_ns(CLOCK_MONOTONIC);
    for (unsigned i = 0; i < SLEEPERS; i++) {
        validator_join(threads[i]);
        last_ns = woken_ns[i] > last_ns ? woken_ns[i] : last_ns;
    }
    /* At most half of what they take one after the other. */
    REQUIRE(last_ns - start_ns < (int64_t)SLEEPERS * SLEEP_MS * 1000000 / 2);
}

static void *check_kinds(void *argument)
{
    static const clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC};
    struct timespec ten_ms = {.tv_nsec = 10000000};
    for (unsigned i = 0; i < 2; i++) {
        struct timespec due = validator_deadline(clocks[i], 10);
        REQUIRE_EQUAL(clock_nanosleep(clocks[i], TIMER_ABSTIME, &due, NULL), 0);
        int64_t now_ns = validator_now_ns(clocks[i]);
        REQUIRE(now_ns >= (int64_t)due.tv_sec * 1000000000 + due.tv_nsec);
        REQUIRE_EQUAL(clock_nanosleep(clocks[i], TIMER_ABSTIME, &due, NULL), 0); /* past */
        REQUIRE_EQUAL(clock_nanosleep(clocks[i], 0, &ten_ms, NULL), 0);
        REQUIRE(validator_now_ns(clocks[i]) - now_ns >= 10000000);
    }
    int64_t start_ns = validator_now_ns(CLOCK_MONOTONIC);
    REQUIRE_EQUAL(usleep(10000), 0);
    REQUIRE(validator_now_ns(CLOCK_MONOTONIC) - start_ns >= 10000000);
    REQUIRE_EQUAL(sleep(0), 0);
    return argument;
}

static void *check_errors(void *argument)
{
    struct timespec invalid = {.tv_nsec = 1000000000};
    struct timespec negative = {.tv_sec = -1};
    struct timespec nothing = {.tv_sec = 0};
    REQUIRE_ERRNO(nanosleep(&invalid, NULL), EINVAL);
    REQUIRE_ERRNO(nanosleep(&negative, NULL), EINVAL);
    REQUIRE_EQUAL(nanosleep(&nothing, NULL), 0);
    REQUIRE_EQUAL(clock_nanosleep(CLOCK_MONOTONIC, 0, &invalid, NULL), EINVAL);
    REQUIRE_EQUAL(clock_nanosleep((clockid_t)99, 0, &nothing, NULL), EINVAL);
    return argument;
}

/* Sleeps until moments 4 ms apart end in that order unless the machine is late by as much. */
static void *sleep_in_order(void *argument)
{
    uintptr_t place = (uintptr_t)argument;
    int64_t due_ns = order_start_ns + (int64_t)place * 4000000;
    struct timespec due = {.tv_sec = due_ns / 1000000000, .tv_nsec = due_ns % 1000000000};
    REQUIRE_EQUAL(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL), 0);
    REQUIRE_EQUAL(pthread_mutex_lock(&order_lock), 0);
    unsigned before = woken++;
    REQUIRE_EQUAL(pthread_mutex_unlock(&order_lock), 0);
    return (void *)(uintptr_t)(before > place ? before - place : place - before);
}

static void check_order(void)
{
    pthread_t threads[ORDERED];
    uintptr_t displaced = 0;
    order_start_ns = validator_now_ns(CLOCK_MONOTONIC) + 30000000; /* when all have started */
    for (uintptr_t i = ORDERED; i-- > 0;) {                        /* the last one first */
        threads[i] = validator_spawn(sleep_in_order, (void *)i);
    }
    for (unsigned i = 0; i < ORDERED; i++) {
        displaced += (uintptr_t)validator_join(threads[i]);
    }
    REQUIRE_EQUAL(woken, ORDERED);
    REQUIRE(displaced < ORDERED * ORDERED / 4); /* the reverse order would give 200 */
}

int main(void)
{
    check_many();
    validator_join(validator_spawn(check_kinds, NULL));
    check_kinds(NULL);
    validator_join(validator_spawn(check_errors, NULL));
    check_order();
    return validator_finish();
}
