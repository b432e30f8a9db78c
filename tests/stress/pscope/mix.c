/*
 * All at once: accounts under locks of every kind, money passed through pipes and queues, sleepers,
 * yields, short-lived threads, signals. The sum of all money never changes.
 * VALIDATOR_SECONDS: how long (0.3 s otherwise).
 */
#include "validator.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { ACCOUNTS = 6, THREADS = 16, MONEY = 1000 };

static struct account {
    pthread_mutex_t mutex;
    pthread_rwlock_t names; /* read by all, written now and then */
    pthread_cond_t paid;
    long balance;
    unsigned first_name, second_name; /* always equal */
} accounts[ACCOUNTS];

static sem_t tills;               /* at most three transfers by pipe at once */
static int pipe_fds[2];           /* money under way, an int each */
static long under_way;            /* changed atomically */
static unsigned signals, spawned; /* changed atomically */
static unsigned stop;             /* changed atomically */
static __thread unsigned prng;

static unsigned pick(unsigned limit)
{
    prng = prng * 1103515245 + 12345;
    return (prng >> 16) % limit;
}

static bool time_to_stop(void)
{
    return __atomic_load_n(&stop, __ATOMIC_SEQ_CST) != 0;
}

/* In the order of the accounts, so that two transfers cannot wait for each other. */
static void transfer(void)
{
    unsigned from = pick(ACCOUNTS), to = pick(ACCOUNTS);
    if (from == to) {
        return;
    }
    struct account *low = &accounts[from < to ? from : to];
    struct account *high = &accounts[from < to ? to : from];
    REQUIRE_EQUAL(pthread_mutex_lock(&low->mutex), 0);
    REQUIRE_EQUAL(pthread_mutex_lock(&high->mutex), 0);
    long amount = (long)pick(20);
    accounts[from].balance -= amount;
    if (pick(8) == 0) {
        sched_yield();
    }
    accounts[to].balance += amount;
    REQUIRE_EQUAL(pthread_cond_signal(&accounts[to].paid), 0);
    REQUIRE_EQUAL(pthread_mutex_unlock(&high->mutex), 0);
    REQUIRE_EQUAL(pthread_mutex_unlock(&low->mutex), 0);
}

static void wait_until_paid(void)
{
    struct account *account = &accounts[pick(ACCOUNTS)];
    struct timespec due = validator_deadline(CLOCK_MONOTONIC, 2);
    REQUIRE_EQUAL(pthread_mutex_lock(&account->mutex), 0);
    int status = pthread_cond_clockwait(&account->paid, &account->mutex, CLOCK_MONOTONIC, &due);
    REQUIRE(status == 0 || status == ETIMEDOUT);
    REQUIRE_EQUAL(pthread_mutex_unlock(&account->mutex), 0);
}

static void use_names(void)
{
    struct account *account = &accounts[pick(ACCOUNTS)];
    if (pick(6) == 0) {
        REQUIRE_EQUAL(pthread_rwlock_wrlock(&account->names), 0);
        account->first_name++;
        sched_yield();
        account->second_name++;
    } else {
        REQUIRE_EQUAL(pthread_rwlock_rdlock(&account->names), 0);
    }
    REQUIRE_EQUAL(account->first_name, account->second_name);
    REQUIRE_EQUAL(pthread_rwlock_unlock(&account->names), 0);
}

/* A unit goes into the pipe from one account and out of it to another. */
static void send_by_pipe(void)
{
    int one = 1;
    while (sem_wait(&tills) != 0) {
        REQUIRE_EQUAL(errno, EINTR);
    }
    struct account *from = &accounts[pick(ACCOUNTS)];
    REQUIRE_EQUAL(pthread_mutex_lock(&from->mutex), 0);
    from->balance--;
    REQUIRE_EQUAL(pthread_mutex_unlock(&from->mutex), 0);
    __atomic_add_fetch(&under_way, 1, __ATOMIC_SEQ_CST);
    REQUIRE_EQUAL(write(pipe_fds[1], &one, sizeof one), sizeof one);
    ssize_t count;
    while ((count = read(pipe_fds[0], &one, sizeof one)) < 0) {
        REQUIRE_EQUAL(errno, EINTR);
    }
    REQUIRE_EQUAL(count, sizeof one);
    struct account *to = &accounts[pick(ACCOUNTS)];
    REQUIRE_EQUAL(pthread_mutex_lock(&to->mutex), 0);
    to->balance++;
    REQUIRE_EQUAL(pthread_mutex_unlock(&to->mutex), 0);
    __atomic_sub_fetch(&under_way, 1, __ATOMIC_SEQ_CST);
    REQUIRE_EQUAL(sem_post(&tills), 0);
}

static void rest(void)
{
    struct timespec short_time = {.tv_nsec = 50000};
    if (nanosleep(&short_time, NULL) != 0) {
        REQUIRE_EQUAL(errno, EINTR);
    }
    if (poll(NULL, 0, 1) != 0) {
        REQUIRE_EQUAL(errno, EINTR);
    }
}

static void *transfer_once(void *argument)
{
    prng = (unsigned)(uintptr_t)argument;
    transfer();
    return argument;
}

static void spawn_short_lived(void)
{
    void *seed = (void *)(uintptr_t)pick(30000);
    REQUIRE(validator_join(validator_spawn(transfer_once, seed)) == seed);
    __atomic_add_fetch(&spawned, 1, __ATOMIC_SEQ_CST);
}

static void signal_self(void)
{
    REQUIRE_EQUAL(pthread_kill(pthread_self(), SIGUSR1), 0);
}

static void count_signal(int signal)
{
    (void)signal;
    __atomic_add_fetch(&signals, 1, __ATOMIC_SEQ_CST);
}

static void (*const deeds[])(void) = {transfer,  transfer,          wait_until_paid,
                                      use_names, use_names,         send_by_pipe,
                                      rest,      spawn_short_lived, signal_self};

static void *run(void *argument)
{
    prng = (unsigned)(uintptr_t)argument * 7919;
    while (!time_to_stop()) {
        deeds[pick(sizeof deeds / sizeof deeds[0])]();
    }
    return NULL;
}

static void init_account(struct account *account, int kind)
{
    pthread_mutexattr_t attributes;
    REQUIRE_EQUAL(pthread_mutexattr_init(&attributes), 0);
    REQUIRE_EQUAL(pthread_mutexattr_settype(&attributes, kind), 0);
    REQUIRE_EQUAL(pthread_mutex_init(&account->mutex, &attributes), 0);
    REQUIRE_EQUAL(pthread_mutexattr_destroy(&attributes), 0);
    REQUIRE_EQUAL(pthread_rwlock_init(&account->names, NULL), 0);
    REQUIRE_EQUAL(pthread_cond_init(&account->paid, NULL), 0);
    account->balance = MONEY;
}

int main(void)
{
    static const int kinds[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ERRORCHECK,
                                PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ADAPTIVE_NP};
    pthread_t threads[THREADS];
    struct sigaction action = {.sa_handler = count_signal, .sa_flags = SA_RESTART};
    const char *seconds = getenv("VALIDATOR_SECONDS");
    long total = 0;
    REQUIRE_EQUAL(sigaction(SIGUSR1, &action, NULL), 0);
    REQUIRE_EQUAL(pipe(pipe_fds), 0);
    REQUIRE_EQUAL(sem_init(&tills, 0, 3), 0);
    for (unsigned i = 0; i < ACCOUNTS; i++) {
        init_account(&accounts[i], kinds[i % 4]);
    }
    for (uintptr_t i = 0; i < THREADS; i++) {
        threads[i] = validator_spawn(run, (void *)(i + 1));
    }
    validator_sleep_ms(seconds == NULL ? 300 : strtol(seconds, NULL, 10) * 1000);
    __atomic_store_n(&stop, 1, __ATOMIC_SEQ_CST);
    for (unsigned i = 0; i < THREADS; i++) {
        validator_join(threads[i]);
    }
    for (unsigned i = 0; i < ACCOUNTS; i++) {
        total += accounts[i].balance;
    }
    REQUIRE_EQUAL(under_way, 0);
    REQUIRE_EQUAL(total, ACCOUNTS * MONEY);
    REQUIRE(signals > 0);
    REQUIRE(spawned > 0);
    return validator_finish();
}
