/* Thread-specific data: values per thread, destructors at exit, repeated while they set values. */
#include "validator.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>

enum { THREADS = 12, KEYS = 40, ROUNDS = 20 };

static pthread_key_t keys[KEYS], stubborn_key;
static unsigned destroyed; /* changed atomically */
static unsigned stubborn_calls;
static __thread unsigned alive = 5;

static void destroy(void *value)
{
    (void)value;
    REQUIRE_EQUAL(alive, 6); /* TLS is still there in a destructor */
    __atomic_add_fetch(&destroyed, 1, __ATOMIC_SEQ_CST);
    sched_yield();
}

static void set_again(void *value)
{
    stubborn_calls++;
    REQUIRE_EQUAL(pthread_setspecific(stubborn_key, value), 0);
}

static void *run(void *argument)
{
    uintptr_t id = (uintptr_t)argument;
    alive = 6;
    for (uintptr_t i = 0; i < KEYS; i++) {
        REQUIRE(pthread_getspecific(keys[i]) == NULL);
        REQUIRE_EQUAL(pthread_setspecific(keys[i], (void *)(id * KEYS + i + 1)), 0);
    }
    for (unsigned round = 0; round < ROUNDS; round++) {
        sched_yield();
        for (uintptr_t i = 0; i < KEYS; i++) {
            REQUIRE(pthread_getspecific(keys[i]) == (void *)(id * KEYS + i + 1));
        }
    }
    return NULL;
}

static void *be_stubborn(void *argument)
{
    REQUIRE_EQUAL(pthread_setspecific(stubborn_key, argument), 0);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int local;
    for (unsigned i = 0; i < KEYS; i++) {
        REQUIRE_EQUAL(pthread_key_create(&keys[i], destroy), 0);
    }
    for (uintptr_t i = 0; i < THREADS; i++) {
        threads[i] = validator_spawn(run, (void *)i);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        validator_join(threads[i]);
    }
    REQUIRE_EQUAL(destroyed, THREADS * KEYS);
    REQUIRE_EQUAL(pthread_key_create(&stubborn_key, set_again), 0);
    validator_join(validator_spawn(be_stubborn, &local));
    REQUIRE_EQUAL(stubborn_calls, PTHREAD_DESTRUCTOR_ITERATIONS);
    for (unsigned i = 0; i < KEYS; i++) {
        REQUIRE_EQUAL(pthread_key_delete(keys[i]), 0);
    }
    REQUIRE_EQUAL(pthread_key_delete(keys[0]), EINVAL);
    return validator_finish();
}
