/* Robust mutexes: the death of an owner is told once, and repaired or made final. */
#include "validator.h"

#include <errno.h>
#include <pthread.h>

static void init_robust(pthread_mutex_t *mutex)
{
    pthread_mutexattr_t attributes;
    REQUIRE_EQUAL(pthread_mutexattr_init(&attributes), 0);
    REQUIRE_EQUAL(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST), 0);
    REQUIRE_EQUAL(pthread_mutex_init(mutex, &attributes), 0);
    REQUIRE_EQUAL(pthread_mutexattr_destroy(&attributes), 0);
}

static void *die_holding(void *mutex)
{
    REQUIRE_EQUAL(pthread_mutex_lock(mutex), 0);
    validator_sleep_ms(5);
    return NULL;
}

static void *wait_for_death(void *mutex)
{
    int status = pthread_mutex_lock(mutex);
    if (status == EOWNERDEAD) {
        REQUIRE_EQUAL(pthread_mutex_consistent(mutex), 0);
    } else {
        REQUIRE_EQUAL(status, 0);
    }
    REQUIRE_EQUAL(pthread_mutex_unlock(mutex), 0);
    return (void *)(intptr_t)(status == EOWNERDEAD);
}

static void check_repair(void)
{
    pthread_mutex_t mutex;
    pthread_t waiters[4];
    unsigned told = 0;
    init_robust(&mutex);
    pthread_t owner = validator_spawn(die_holding, &mutex);
    validator_sleep_ms(2);
    for (unsigned i = 0; i < 4; i++) {
        waiters[i] = validator_spawn(wait_for_death, &mutex);
    }
    validator_join(owner);
    for (unsigned i = 0; i < 4; i++) {
        told += validator_join(waiters[i]) != NULL;
    }
    REQUIRE(told <= 1); /* none when the waiters came first */
    REQUIRE_EQUAL(pthread_mutex_destroy(&mutex), 0);
}

static void check_told_and_final(void)
{
    pthread_mutex_t mutex;
    init_robust(&mutex);
    validator_join(validator_spawn(die_holding, &mutex));
    REQUIRE_EQUAL(pthread_mutex_trylock(&mutex), EOWNERDEAD);
    REQUIRE_EQUAL(pthread_mutex_unlock(&mutex), 0); /* not made consistent */
    REQUIRE_EQUAL(pthread_mutex_lock(&mutex), ENOTRECOVERABLE);
    REQUIRE_EQUAL(pthread_mutex_destroy(&mutex), 0);
}

int main(void)
{
    for (unsigned round = 0; round < 5; round++) {
        check_repair();
        check_told_and_final();
    }
    return validator_finish();
}
