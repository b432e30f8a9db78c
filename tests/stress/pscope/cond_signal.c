/*
 * Signals that are handled in the middle of pthread_cond_wait(): the wait goes on behind the
 * handler, as glibc has it (POSIX allows a spurious wake-up instead), and no wake-up is lost.
 */
#include "validator.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>

enum { SIGNALS = 30, ROUNDS = 200 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool waiting, open;
static unsigned handled;                   /* changed atomically */
static unsigned rounds_begun, rounds_done; /* under the mutex */

static void handle(int number)
{
    (void)number;
    __atomic_add_fetch(&handled, 1, __ATOMIC_SEQ_CST);
}

static unsigned handled_so_far(void)
{
    return __atomic_load_n(&handled, __ATOMIC_SEQ_CST);
}

static void *wait_once(void *argument)
{
    REQUIRE_EQUAL(pthread_mutex_lock(&mutex), 0);
    waiting = true;
    REQUIRE_EQUAL(pthread_cond_wait(&changed, &mutex), 0);
    REQUIRE(open);
    REQUIRE_EQUAL(pthread_mutex_unlock(&mutex), 0);
    return argument;
}

static void *wait_for_time(void *argument)
{
    struct timespec due = validator_deadline(CLOCK_REALTIME, 100);
    REQUIRE_EQUAL(pthread_mutex_lock(&mutex), 0);
    waiting = true;
    REQUIRE_EQUAL(pthread_cond_timedwait(&changed, &mutex, &due), ETIMEDOUT);
    REQUIRE_EQUAL(pthread_mutex_unlock(&mutex), 0);
    return argument;
}

/* From here on the thread waits, since it holds the mutex until then. */
static void wait_until_it_waits(void)
{
    bool does = false;
    while (!does) {
        REQUIRE_EQUAL(pthread_mutex_lock(&mutex), 0);
        does = waiting;
        REQUIRE_EQUAL(pthread_mutex_unlock(&mutex), 0);
        validator_sleep_ms(1);
    }
}

static pthread_t interrupt_often(void *(*run)(void *))
{
    unsigned before = handled_so_far();
    waiting = false;
    pthread_t thread = validator_spawn(run, NULL);
    wait_until_it_waits();
    for (unsigned i = 1; i <= SIGNALS; i++) {
        REQUIRE_EQUAL(pthread_kill(thread, SIGUSR1), 0);
        while (handled_so_far() < before + i) {
            validator_sleep_ms(1);
        }
    }
    return thread;
}

static void check_that_it_goes_on(void)
{
    pthread_t thread = interrupt_often(wait_once);
    REQUIRE_EQUAL(pthread_mutex_lock(&mutex), 0);
    open = true;
    REQUIRE_EQUAL(pthread_cond_signal(&changed), 0);
    REQUIRE_EQUAL(pthread_mutex_unlock(&mutex), 0);
    validator_join(thread);
    validator_join(interrupt_often(wait_for_time));
}

static void *wait_in_rounds(void *argument)
{
    REQUIRE_EQUAL(pthread_mutex_lock(&mutex), 0);
    while (rounds_done < ROUNDS) {
        while (rounds_done == rounds_begun) {
            REQUIRE_EQUAL(pthread_cond_wait(&changed, &mutex), 0);
        }
        rounds_done++;
    }
    REQUIRE_EQUAL(pthread_mutex_unlock(&mutex), 0);
    return argument;
}

/* A signal and a wake-up at the same time: one wake-up a round, and nothing else. */
static void check_that_none_is_lost(void)
{
    pthread_t thread = validator_spawn(wait_in_rounds, NULL);
    for (unsigned round = 1; round <= ROUNDS; round++) {
        bool done = false;
        REQUIRE_EQUAL(pthread_kill(thread, SIGUSR1), 0);
        REQUIRE_EQUAL(pthread_mutex_lock(&mutex), 0);
        rounds_begun = round;
        REQUIRE_EQUAL(pthread_cond_signal(&changed), 0);
        REQUIRE_EQUAL(pthread_mutex_unlock(&mutex), 0);
        while (!done) {
            REQUIRE_EQUAL(pthread_mutex_lock(&mutex), 0);
            done = rounds_done == round;
            REQUIRE_EQUAL(pthread_mutex_unlock(&mutex), 0);
            sched_yield();
        }
    }
    validator_join(thread);
}

int main(void)
{
    struct sigaction action = {.sa_handler = handle};
    REQUIRE_EQUAL(sigaction(SIGUSR1, &action, NULL), 0);
    check_that_it_goes_on();
    check_that_none_is_lost();
    return validator_finish();
}
