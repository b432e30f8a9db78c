/* pthread_once: one initialiser for all, and another try when it is cancelled. */
#include "validator.h"

#include <pthread.h>
#include <unistd.h>

enum { THREADS = 20 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_once_t cancelled_once = PTHREAD_ONCE_INIT;
static unsigned initialised, started;
static int silent_pipe[2];

static void initialise_slowly(void)
{
    validator_sleep_ms(10); /* switches, so that the others come while it runs */
    initialised++;
}

static void *use(void *argument)
{
    REQUIRE_EQUAL(pthread_once(&once, initialise_slowly), 0);
    REQUIRE_EQUAL(initialised, 1);
    return argument;
}

static void initialise_at_second_try(void)
{
    char byte;
    if (__atomic_add_fetch(&started, 1, __ATOMIC_SEQ_CST) == 1) {
        (void)!read(silent_pipe[0], &byte, 1); /* cancelled here */
    }
}

static void *use_cancelled(void *argument)
{
    REQUIRE_EQUAL(pthread_once(&cancelled_once, initialise_at_second_try), 0);
    return argument;
}

static void check_cancelled_initialiser(void)
{
    REQUIRE_EQUAL(pipe(silent_pipe), 0);
    pthread_t first = validator_spawn(use_cancelled, NULL);
    while (__atomic_load_n(&started, __ATOMIC_SEQ_CST) == 0) {
        validator_sleep_ms(1);
    }
    pthread_t second = validator_spawn(use_cancelled, NULL);
    validator_sleep_ms(2);
    REQUIRE_EQUAL(pthread_cancel(first), 0);
    REQUIRE(validator_join(first) == PTHREAD_CANCELED);
    REQUIRE(validator_join(second) == NULL);
    REQUIRE_EQUAL(started, 2);
}

int main(void)
{
    pthread_t threads[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        threads[i] = validator_spawn(use, NULL);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        validator_join(threads[i]);
    }
    use(NULL);
    check_cancelled_initialiser();
    return validator_finish();
}
