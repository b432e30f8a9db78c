/* Joining: values, errors, tryjoin, timedjoin, detached threads, attributes. */
#include "validator.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

enum { CHURN = 150, DETACHED = 30, WAIT_MS = 15 };

static sem_t gate, gone;

static void *give_back(void *argument)
{
    return argument;
}

__attribute__((noinline)) static void leave_deeply(void *value)
{
    pthread_exit(value);
}

static void *leave_by_exit(void *argument)
{
    leave_deeply(argument);
    validator_fail(__FILE__, __LINE__, "pthread_exit returned");
}

static void *wait_at_gate(void *argument)
{
    REQUIRE_EQUAL(sem_wait(&gate), 0);
    return argument;
}

static void check_values(void)
{
    int local;
    for (uintptr_t i = 0; i < CHURN; i++) {
        REQUIRE(validator_join(validator_spawn(give_back, (void *)i)) == (void *)i);
    }
    REQUIRE(validator_join(validator_spawn(leave_by_exit, &local)) == &local);
    REQUIRE_EQUAL(pthread_join(pthread_self(), NULL), EDEADLK);
}

static void check_timed(void)
{
    void *value = NULL;
    int local;
    pthread_t thread = validator_spawn(wait_at_gate, &local);
    REQUIRE_EQUAL(pthread_tryjoin_np(thread, &value), EBUSY);
    struct timespec due = validator_deadline(CLOCK_REALTIME, WAIT_MS);
    REQUIRE_EQUAL(pthread_timedjoin_np(thread, &value, &due), ETIMEDOUT);
    REQUIRE(validator_now_ns(CLOCK_REALTIME) >= (int64_t)due.tv_sec * 1000000000 + due.tv_nsec);
    due = validator_deadline(CLOCK_MONOTONIC, WAIT_MS);
    REQUIRE_EQUAL(pthread_clockjoin_np(thread, &value, CLOCK_MONOTONIC, &due), ETIMEDOUT);
    REQUIRE_EQUAL(sem_post(&gate), 0);
    due = validator_deadline(CLOCK_REALTIME, 20000);
    REQUIRE_EQUAL(pthread_timedjoin_np(thread, &value, &due), 0);
    REQUIRE(value == &local);
}

static void check_try(void)
{
    void *value = NULL;
    int local;
    int status;
    pthread_t thread = validator_spawn(give_back, &local);
    while ((status = pthread_tryjoin_np(thread, &value)) == EBUSY) {
        validator_sleep_ms(1);
    }
    REQUIRE_EQUAL(status, 0);
    REQUIRE(value == &local);
}

static void *detach_self(void *argument)
{
    REQUIRE_EQUAL(pthread_detach(pthread_self()), 0);
    REQUIRE_EQUAL(sem_post(&gone), 0);
    return argument;
}

static void *say_gone(void *argument)
{
    REQUIRE_EQUAL(sem_post(&gone), 0);
    return argument;
}

static void *say_gone_at_gate(void *argument)
{
    wait_at_gate(NULL);
    return say_gone(argument);
}

static void check_detached(void)
{
    pthread_attr_t attributes;
    REQUIRE_EQUAL(pthread_attr_init(&attributes), 0);
    REQUIRE_EQUAL(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED), 0);
    for (unsigned i = 0; i < DETACHED; i++) {
        pthread_t thread;
        REQUIRE_EQUAL(pthread_create(&thread, &attributes, say_gone, NULL), 0);
        validator_spawn(detach_self, NULL);
        pthread_t detached = validator_spawn(say_gone_at_gate, NULL);
        REQUIRE_EQUAL(pthread_detach(detached), 0);
        REQUIRE_EQUAL(pthread_join(detached, NULL), EINVAL);
        REQUIRE_EQUAL(sem_post(&gate), 0);
        for (unsigned k = 0; k < 3; k++) { /* none is left to take the next one's token */
            REQUIRE_EQUAL(sem_wait(&gone), 0);
        }
    }
    REQUIRE_EQUAL(pthread_attr_destroy(&attributes), 0);
}

static void *fill_stack(void *argument)
{
    char filled[768 * 1024];
    memset(filled, 1, sizeof filled);
    __asm__ volatile("" : : "r"(filled) : "memory"); /* the bytes are used */
    return argument;
}

static void check_stack_size(void)
{
    pthread_attr_t attributes, own;
    size_t size = 0;
    pthread_t thread;
    int local;
    REQUIRE_EQUAL(pthread_attr_init(&attributes), 0);
    REQUIRE_EQUAL(pthread_attr_setstacksize(&attributes, 1024 * 1024), 0);
    REQUIRE_EQUAL(pthread_create(&thread, &attributes, fill_stack, &local), 0);
    REQUIRE_EQUAL(pthread_getattr_np(thread, &own), 0);
    REQUIRE_EQUAL(pthread_attr_getstacksize(&own, &size), 0);
    REQUIRE_EQUAL(size, 1024 * 1024);
    REQUIRE(validator_join(thread) == &local);
    REQUIRE_EQUAL(pthread_attr_destroy(&own), 0);
    REQUIRE_EQUAL(pthread_attr_destroy(&attributes), 0);
}

int main(void)
{
    REQUIRE_EQUAL(sem_init(&gate, 0, 0), 0);
    REQUIRE_EQUAL(sem_init(&gone, 0, 0), 0);
    check_values();
    check_timed();
    check_try();
    check_detached();
    check_stack_size();
    return validator_finish();
}
