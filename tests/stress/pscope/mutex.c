/* Mutexes: exclusion under contention, and what each kind returns (POSIX pthread_mutex_lock). */
#include "validator.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>

enum { THREADS = 8, ROUNDS = 500 };

struct account {
    pthread_mutex_t mutex;
    unsigned inside; /* threads in the critical section */
    unsigned total;
};

static void *deposit(void *argument)
{
    struct account *account = argument;
    for (unsigned round = 0; round < ROUNDS; round++) {
        REQUIRE_EQUAL(pthread_mutex_lock(&account->mutex), 0);
        REQUIRE_EQUAL(account->inside++, 0);
        if (round % 4 == 0) {
            sched_yield(); /* while holding it, so that others must wait */
        }
        account->total++;
        REQUIRE_EQUAL(--account->inside, 0);
        REQUIRE_EQUAL(pthread_mutex_unlock(&account->mutex), 0);
    }
    return NULL;
}

static void check_exclusion(struct account *account)
{
    pthread_t threads[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        threads[i] = validator_spawn(deposit, account);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        validator_join(threads[i]);
    }
    REQUIRE_EQUAL(account->total, THREADS * ROUNDS);
    REQUIRE_EQUAL(pthread_mutex_destroy(&account->mutex), 0);
}

static void *try_lock(void *mutex)
{
    return (void *)(intptr_t)pthread_mutex_trylock(mutex);
}

static void *unlock(void *mutex)
{
    return (void *)(intptr_t)pthread_mutex_unlock(mutex);
}

static int in_another_thread(void *(*call)(void *), pthread_mutex_t *mutex)
{
    return (int)(intptr_t)validator_join(validator_spawn(call, mutex));
}

static void check_recursive(void)
{
    pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    REQUIRE_EQUAL(pthread_mutex_lock(&mutex), 0);
    REQUIRE_EQUAL(pthread_mutex_lock(&mutex), 0);
    REQUIRE_EQUAL(pthread_mutex_trylock(&mutex), 0);
    for (unsigned held = 3; held > 0; held--) {
        REQUIRE_EQUAL(in_another_thread(try_lock, &mutex), EBUSY);
        REQUIRE_EQUAL(in_another_thread(unlock, &mutex), EPERM);
        REQUIRE_EQUAL(pthread_mutex_unlock(&mutex), 0);
    }
    REQUIRE_EQUAL(pthread_mutex_unlock(&mutex), EPERM);
    REQUIRE_EQUAL(pthread_mutex_destroy(&mutex), 0);
}

static void check_error_checking(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutex_t mutex;
    REQUIRE_EQUAL(pthread_mutexattr_init(&attributes), 0);
    REQUIRE_EQUAL(pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK), 0);
    REQUIRE_EQUAL(pthread_mutex_init(&mutex, &attributes), 0);
    REQUIRE_EQUAL(pthread_mutexattr_destroy(&attributes), 0);
    REQUIRE_EQUAL(pthread_mutex_unlock(&mutex), EPERM);
    REQUIRE_EQUAL(pthread_mutex_lock(&mutex), 0);
    REQUIRE_EQUAL(pthread_mutex_lock(&mutex), EDEADLK);
    REQUIRE_EQUAL(pthread_mutex_trylock(&mutex), EBUSY);
    REQUIRE_EQUAL(in_another_thread(try_lock, &mutex), EBUSY);
    REQUIRE_EQUAL(in_another_thread(unlock, &mutex), EPERM);
    REQUIRE_EQUAL(pthread_mutex_destroy(&mutex), EBUSY);
    REQUIRE_EQUAL(pthread_mutex_unlock(&mutex), 0);
    REQUIRE_EQUAL(pthread_mutex_destroy(&mutex), 0);
}

static void check_static_kinds(void)
{
    struct account accounts[] = {{.mutex = PTHREAD_MUTEX_INITIALIZER},
                                 {.mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP},
                                 {.mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP},
                                 {.mutex = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP}};
    for (unsigned i = 0; i < sizeof accounts / sizeof accounts[0]; i++) {
        check_exclusion(&accounts[i]);
    }
}

/* Kinds that the kernel takes part in. */
static void check_kernel_kind(int protocol, int shared)
{
    pthread_mutexattr_t attributes;
    struct account account = {.total = 0};
    REQUIRE_EQUAL(pthread_mutexattr_init(&attributes), 0);
    REQUIRE_EQUAL(pthread_mutexattr_setprotocol(&attributes, protocol), 0);
    REQUIRE_EQUAL(pthread_mutexattr_setpshared(&attributes, shared), 0);
    REQUIRE_EQUAL(pthread_mutex_init(&account.mutex, &attributes), 0);
    REQUIRE_EQUAL(pthread_mutexattr_destroy(&attributes), 0);
    check_exclusion(&account);
}

/* A thread that unlocks and at once locks again does not keep the mutex from others for good. */
static pthread_mutex_t wanted = PTHREAD_MUTEX_INITIALIZER;
static bool enough; /* under the mutex */

static void *hog(void *argument)
{
    bool done = false;
    while (!done) {
        REQUIRE_EQUAL(pthread_mutex_lock(&wanted), 0);
        done = enough;
        for (volatile unsigned work = 0; work < 2000; work++) {
        }
        REQUIRE_EQUAL(pthread_mutex_unlock(&wanted), 0);
    }
    return argument;
}

/* Of the kernel's threads it is the kernel's matter who gets it next. */
static void check_nobody_starves(void)
{
    if (validator_scope() != VALIDATOR_PROCESS) {
        return;
    }
    pthread_t thread = validator_spawn(hog, NULL);
    for (unsigned i = 0; i < 50; i++) {
        validator_sleep_ms(1);
        REQUIRE_EQUAL(pthread_mutex_lock(&wanted), 0);
        enough = i == 49;
        REQUIRE_EQUAL(pthread_mutex_unlock(&wanted), 0);
    }
    validator_join(thread);
}

int main(void)
{
    check_static_kinds();
    check_nobody_starves();
    check_kernel_kind(PTHREAD_PRIO_NONE, PTHREAD_PROCESS_SHARED);
    check_kernel_kind(PTHREAD_PRIO_INHERIT, PTHREAD_PROCESS_PRIVATE);
    check_recursive();
    check_error_checking();
    return validator_finish();
}
