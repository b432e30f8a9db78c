/* Spin locks: exclusion even when the holder is switched away, trylock. */
#include "validator.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>

enum { THREADS = 6, ROUNDS = 300 };

static pthread_spinlock_t lock;
static unsigned counter;

static void *count(void *argument)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        REQUIRE_EQUAL(pthread_spin_lock(&lock), 0);
        unsigned before = counter;
        if (round % 16 == 0) {
            sched_yield();
        }
        counter = before + 1;
        REQUIRE_EQUAL(pthread_spin_unlock(&lock), 0);
    }
    return argument;
}

int main(void)
{
    pthread_t threads[THREADS];
    REQUIRE_EQUAL(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        threads[i] = validator_spawn(count, NULL);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        validator_join(threads[i]);
    }
    REQUIRE_EQUAL(counter, THREADS * ROUNDS);
    REQUIRE_EQUAL(pthread_spin_trylock(&lock), 0);
    REQUIRE_EQUAL(pthread_spin_trylock(&lock), EBUSY);
    REQUIRE_EQUAL(pthread_spin_unlock(&lock), 0);
    REQUIRE_EQUAL(pthread_spin_destroy(&lock), 0);
    return validator_finish();
}
