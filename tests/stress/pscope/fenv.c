/* The floating-point control words belong to a thread: rounding survives switches. */
#include "validator.h"

#include <fenv.h>
#include <pthread.h>
#include <sched.h>

enum { THREADS = 12, ROUNDS = 200 };

static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

static void *run(void *argument)
{
    int mode = modes[(uintptr_t)argument % 4];
    volatile double one = 1.0;
    volatile double three = 3.0;
    REQUIRE_EQUAL(fesetround(mode), 0);
    volatile double quotient = one / three;
    for (unsigned round = 0; round < ROUNDS; round++) {
        sched_yield();
        REQUIRE_EQUAL(fegetround(), mode);
        REQUIRE(one / three == quotient);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++) {
        threads[i] = validator_spawn(run, (void *)i);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        validator_join(threads[i]);
    }
    REQUIRE_EQUAL(fegetround(), FE_TONEAREST);
    return validator_finish();
}
