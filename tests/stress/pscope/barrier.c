/* Barriers: nobody passes before all have come, one serial thread a round, destroyed safely. */
#include "validator.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>

enum { THREADS = 12, ROUNDS = 100 };

static pthread_barrier_t barrier;
static unsigned arrived[ROUNDS]; /* changed atomically */
static unsigned serial[ROUNDS];

static void *run(void *argument)
{
    uintptr_t id = (uintptr_t)argument;
    for (unsigned round = 0; round < ROUNDS; round++) {
        if ((round + id) % 5 == 0) {
            sched_yield();
        }
        __atomic_add_fetch(&arrived[round], 1, __ATOMIC_SEQ_CST);
        int status = pthread_barrier_wait(&barrier);
        REQUIRE_EQUAL(__atomic_load_n(&arrived[round], __ATOMIC_SEQ_CST), THREADS);
        if (status == PTHREAD_BARRIER_SERIAL_THREAD) {
            __atomic_add_fetch(&serial[round], 1, __ATOMIC_SEQ_CST);
        } else {
            REQUIRE_EQUAL(status, 0);
        }
    }
    return NULL;
}

/* POSIX lets the barrier be destroyed once the waits have returned, here in one of the threads. */
static void *pass_and_destroy(void *argument)
{
    pthread_barrier_t *short_lived = argument;
    int status = pthread_barrier_wait(short_lived);
    if (status == PTHREAD_BARRIER_SERIAL_THREAD) {
        REQUIRE_EQUAL(pthread_barrier_destroy(short_lived), 0);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    REQUIRE_EQUAL(pthread_barrier_init(&barrier, NULL, 0), EINVAL);
    REQUIRE_EQUAL(pthread_barrier_init(&barrier, NULL, THREADS), 0);
    for (uintptr_t i = 0; i < THREADS; i++) {
        threads[i] = validator_spawn(run, (void *)i);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        validator_join(threads[i]);
    }
    for (unsigned round = 0; round < ROUNDS; round++) {
        REQUIRE_EQUAL(serial[round], 1);
    }
    REQUIRE_EQUAL(pthread_barrier_destroy(&barrier), 0);
    for (unsigned round = 0; round < 10; round++) {
        pthread_barrier_t short_lived;
        REQUIRE_EQUAL(pthread_barrier_init(&short_lived, NULL, 2), 0);
        pthread_t other = validator_spawn(pass_and_destroy, &short_lived);
        pass_and_destroy(&short_lived);
        validator_join(other);
    }
    return validator_finish();
}
