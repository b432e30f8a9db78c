/* The C11 interface: thrd, mtx, cnd, call_once, tss. */
#include "validator.h"

#include <errno.h>
#include <threads.h>

enum { THREADS = 8, ROUNDS = 300 };

static mtx_t mutex;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static unsigned counter, initialised, turn, destroyed;

static void initialise(void)
{
    initialised++;
}

static void destroy(void *value)
{
    REQUIRE(value == &turn);
    REQUIRE_EQUAL(mtx_lock(&mutex), thrd_success);
    destroyed++;
    REQUIRE_EQUAL(mtx_unlock(&mutex), thrd_success);
}

static int count(void *argument)
{
    unsigned id = (unsigned)(uintptr_t)argument;
    call_once(&once, initialise);
    REQUIRE_EQUAL(initialised, 1);
    REQUIRE_EQUAL(tss_set(key, &turn), thrd_success);
    for (unsigned round = 0; round < ROUNDS; round++) {
        REQUIRE_EQUAL(mtx_lock(&mutex), thrd_success);
        unsigned before = counter;
        thrd_yield();
        counter = before + 1;
        REQUIRE_EQUAL(mtx_unlock(&mutex), thrd_success);
    }
    return (int)id * 3;
}

static int take_turn(void *argument)
{
    unsigned id = (unsigned)(uintptr_t)argument;
    REQUIRE_EQUAL(mtx_lock(&mutex), thrd_success);
    while (turn != id) {
        REQUIRE_EQUAL(cnd_wait(&changed, &mutex), thrd_success);
    }
    turn++;
    REQUIRE_EQUAL(cnd_broadcast(&changed), thrd_success);
    REQUIRE_EQUAL(mtx_unlock(&mutex), thrd_success);
    if (id == 0) {
        thrd_exit(0);
    }
    return (int)id * 3;
}

static void run_all(int (*run)(void *))
{
    thrd_t threads[THREADS];
    for (uintptr_t i = THREADS; i-- > 0;) {
        REQUIRE_EQUAL(thrd_create(&threads[i], run, (void *)i), thrd_success);
    }
    for (int i = 0; i < THREADS; i++) {
        int value = -1;
        REQUIRE_EQUAL(thrd_join(threads[i], &value), thrd_success);
        REQUIRE_EQUAL(value, i * 3);
    }
}

static int time_out(void *argument)
{
    struct timespec due = validator_deadline(CLOCK_REALTIME, 10);
    REQUIRE_EQUAL(mtx_trylock(argument), thrd_busy);
    REQUIRE_EQUAL(mtx_timedlock(argument, &due), thrd_timedout);
    return 0;
}

static void check_times(void)
{
    mtx_t timed;
    thrd_t thread;
    struct timespec due = validator_deadline(CLOCK_REALTIME, 10);
    struct timespec five_ms = {.tv_nsec = 5000000};
    REQUIRE_EQUAL(mtx_init(&timed, mtx_timed | mtx_recursive), thrd_success);
    REQUIRE_EQUAL(mtx_lock(&timed), thrd_success);
    REQUIRE_EQUAL(mtx_lock(&timed), thrd_success);
    REQUIRE_EQUAL(thrd_create(&thread, time_out, &timed), thrd_success);
    REQUIRE_EQUAL(thrd_join(thread, NULL), thrd_success);
    REQUIRE_EQUAL(mtx_unlock(&timed), thrd_success);
    REQUIRE_EQUAL(cnd_timedwait(&changed, &timed, &due), thrd_timedout);
    REQUIRE_EQUAL(mtx_unlock(&timed), thrd_success);
    REQUIRE_EQUAL(thrd_sleep(&five_ms, NULL), 0);
    mtx_destroy(&timed);
}

int main(void)
{
    REQUIRE_EQUAL(mtx_init(&mutex, mtx_plain), thrd_success);
    REQUIRE_EQUAL(cnd_init(&changed), thrd_success);
    REQUIRE_EQUAL(tss_create(&key, destroy), thrd_success);
    run_all(count);
    REQUIRE_EQUAL(counter, THREADS * ROUNDS);
    REQUIRE_EQUAL(destroyed, THREADS);
    run_all(take_turn);
    check_times();
    return validator_finish();
}
