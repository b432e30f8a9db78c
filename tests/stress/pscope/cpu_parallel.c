/* With N virtual CPUs exactly N process-scope threads compute at once (run without a quantum). */
#include "validator.h"

#include <pthread.h>
#include <sched.h>

enum { THREADS = 12, ROUNDS = 30 };

static unsigned computing, peak; /* changed atomically */

static void note_peak(unsigned now)
{
    unsigned seen = __atomic_load_n(&peak, __ATOMIC_SEQ_CST);
    while (now > seen && !__atomic_compare_exchange_n(&peak, &seen, now, false, __ATOMIC_SEQ_CST,
                                                      __ATOMIC_SEQ_CST)) {
    }
}

/* Computes without a call that could switch until the peak is reached, or for 1 ms. */
static void *compute(void *argument)
{
    unsigned wanted = validator_vcpus();
    for (unsigned round = 0; round < ROUNDS; round++) {
        note_peak(__atomic_add_fetch(&computing, 1, __ATOMIC_SEQ_CST));
        int64_t until_ns = validator_now_ns(CLOCK_MONOTONIC) + 1000000;
        while (__atomic_load_n(&peak, __ATOMIC_SEQ_CST) < wanted &&
               validator_now_ns(CLOCK_MONOTONIC) < until_ns) {
        }
        __atomic_sub_fetch(&computing, 1, __ATOMIC_SEQ_CST);
        sched_yield();
    }
    return argument;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        threads[i] = validator_spawn(compute, NULL);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        validator_join(threads[i]);
    }
    if (validator_scope() == VALIDATOR_PROCESS) {
        REQUIRE_EQUAL(peak, validator_vcpus());
    }
    return validator_finish();
}
