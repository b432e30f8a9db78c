/* sched_yield: lets the others run, and nobody is left out. */
#include "validator.h"

#include <pthread.h>
#include <sched.h>

enum { THREADS = 10, ROUNDS = 2000 };

static unsigned turn;  /* changed atomically */
static unsigned ready; /* changed atomically */
static unsigned counts[THREADS];

/* The threads take turns by yielding alone: each yield must let the next one come to run. */
static void *take_turns(void *argument)
{
    uintptr_t id = (uintptr_t)argument;
    for (unsigned round = 0; round < 20; round++) {
        while (__atomic_load_n(&turn, __ATOMIC_SEQ_CST) % THREADS != id) {
            REQUIRE_EQUAL(sched_yield(), 0);
        }
        __atomic_add_fetch(&turn, 1, __ATOMIC_SEQ_CST);
    }
    return NULL;
}

static void *count_yields(void *argument)
{
    unsigned *count = argument;
    __atomic_add_fetch(&ready, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&ready, __ATOMIC_SEQ_CST) < THREADS) {
        sched_yield();
    }
    for (unsigned round = 0; round < ROUNDS; round++) {
        REQUIRE_EQUAL(sched_yield(), 0);
        __atomic_add_fetch(count, 1, __ATOMIC_RELAXED);
    }
    return NULL;
}

static void run_all(void *(*run)(void *), bool by_count)
{
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++) {
        threads[i] = validator_spawn(run, by_count ? (void *)&counts[i] : (void *)i);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        validator_join(threads[i]);
    }
}

int main(void)
{
    run_all(take_turns, false);
    REQUIRE_EQUAL(turn, THREADS * 20);
    run_all(count_yields, true);
    for (unsigned i = 0; i < THREADS; i++) {
        REQUIRE_EQUAL(counts[i], ROUNDS);
    }
    return validator_finish();
}
