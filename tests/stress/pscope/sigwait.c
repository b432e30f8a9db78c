/* Synchronous signals: main in sigwait as in a server, sigtimedwait, thread-directed signals. */
#include "validator.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

enum { WORKERS = 6 };

static unsigned stop; /* changed atomically */

static void *work(void *argument)
{
    while (__atomic_load_n(&stop, __ATOMIC_SEQ_CST) == 0) {
        validator_sleep_ms(1);
        sched_yield();
    }
    return argument;
}

static void *send_later(void *argument)
{
    validator_sleep_ms(5);
    REQUIRE_EQUAL(kill(getpid(), *(const int *)argument), 0);
    return NULL;
}

static void wait_for_signal(const sigset_t *set, int expected)
{
    int received = 0;
    pthread_t sender = validator_spawn(send_later, &expected);
    REQUIRE_EQUAL(sigwait(set, &received), 0);
    REQUIRE_EQUAL(received, expected);
    validator_join(sender);
}

static void check_timed(const sigset_t *set)
{
    struct timespec limit = {.tv_nsec = 10000000};
    siginfo_t info;
    int64_t start_ns = validator_now_ns(CLOCK_MONOTONIC);
    REQUIRE_ERRNO(sigtimedwait(set, &info, &limit), EAGAIN);
    REQUIRE(validator_now_ns(CLOCK_MONOTONIC) - start_ns >= 10000000);
    REQUIRE_EQUAL(kill(getpid(), SIGHUP), 0);
    REQUIRE_EQUAL(sigtimedwait(set, &info, &limit), SIGHUP);
    REQUIRE_EQUAL(info.si_pid, getpid());
    REQUIRE_EQUAL(kill(getpid(), SIGTERM), 0);
    REQUIRE_EQUAL(sigwaitinfo(set, &info), SIGTERM);
    REQUIRE_EQUAL(info.si_signo, SIGTERM);
}

static void *wait_for_own(void *argument)
{
    sigset_t set;
    int received = 0;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    REQUIRE_EQUAL(sigwait(&set, &received), 0);
    REQUIRE_EQUAL(received, SIGUSR1);
    return argument;
}

/* pthread_kill wakes that thread's sigwait and no other's. */
static void check_thread_directed(void)
{
    pthread_t threads[WORKERS];
    for (unsigned i = 0; i < WORKERS; i++) {
        threads[i] = validator_spawn(wait_for_own, NULL);
    }
    for (unsigned i = WORKERS; i-- > 0;) {
        REQUIRE_EQUAL(pthread_tryjoin_np(threads[i], NULL), EBUSY);
        REQUIRE_EQUAL(pthread_kill(threads[i], SIGUSR1), 0);
        validator_join(threads[i]);
    }
}

int main(void)
{
    sigset_t set, all;
    pthread_t workers[WORKERS];
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    all = set;
    sigaddset(&all, SIGUSR1);
    REQUIRE_EQUAL(pthread_sigmask(SIG_BLOCK, &all, NULL), 0);
    for (unsigned i = 0; i < WORKERS; i++) {
        workers[i] = validator_spawn(work, NULL);
    }
    for (unsigned round = 0; round < 5; round++) {
        wait_for_signal(&set, SIGHUP);
        wait_for_signal(&set, SIGTERM);
    }
    check_timed(&set);
    check_thread_directed();
    __atomic_store_n(&stop, 1, __ATOMIC_SEQ_CST);
    for (unsigned i = 0; i < WORKERS; i++) {
        validator_join(workers[i]);
    }
    return validator_finish();
}
