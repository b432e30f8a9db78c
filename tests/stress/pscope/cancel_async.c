/* Asynchronous cancellation ends a thread that computes and never reaches a cancellation point. */
#include "validator.h"

#include <pthread.h>

static unsigned started; /* changed atomically */
static unsigned cleaned; /* changed atomically */

static void clean_up(void *argument)
{
    (void)argument;
    __atomic_add_fetch(&cleaned, 1, __ATOMIC_SEQ_CST);
}

static void *compute(void *argument)
{
    int old = -1;
    volatile unsigned sum = 0;
    REQUIRE_EQUAL(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old), 0);
    REQUIRE_EQUAL(old, PTHREAD_CANCEL_DEFERRED);
    pthread_cleanup_push(clean_up, NULL);
    __atomic_add_fetch(&started, 1, __ATOMIC_SEQ_CST);
    for (;;) {
        sum = sum + 1;
    }
    pthread_cleanup_pop(0);
    return argument;
}

int main(void)
{
    for (unsigned round = 1; round <= 4; round++) {
        pthread_t thread = validator_spawn(compute, NULL);
        while (__atomic_load_n(&started, __ATOMIC_SEQ_CST) < round) {
            validator_sleep_ms(1);
        }
        REQUIRE_EQUAL(pthread_cancel(thread), 0);
        REQUIRE(validator_join(thread) == PTHREAD_CANCELED);
        REQUIRE_EQUAL(cleaned, round);
    }
    return validator_finish();
}
