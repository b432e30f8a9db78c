/* A thread that computes and never blocks does not keep the others from running. */
#include "validator.h"

#include <pthread.h>

enum { HOGS = 5, TICKS = 10 };

static unsigned stop;    /* changed atomically */
static unsigned started; /* changed atomically */

static void *hog(void *argument)
{
    volatile unsigned sum = 0;
    __atomic_add_fetch(&started, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&stop, __ATOMIC_RELAXED) == 0) {
        sum = sum + 1;
    }
    return argument;
}

static void *tick(void *argument)
{
    for (unsigned i = 0; i < TICKS; i++) {
        validator_sleep_ms(1);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_SEQ_CST);
    return argument;
}

int main(void)
{
    pthread_t hogs[HOGS];
    for (unsigned i = 0; i < HOGS; i++) {
        hogs[i] = validator_spawn(hog, NULL);
    }
    while (__atomic_load_n(&started, __ATOMIC_SEQ_CST) < HOGS) {
        validator_sleep_ms(1);
    }
    validator_join(validator_spawn(tick, NULL));
    for (unsigned i = 0; i < HOGS; i++) {
        validator_join(hogs[i]);
    }
    return validator_finish();
}
