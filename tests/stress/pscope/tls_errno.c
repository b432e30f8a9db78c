/* Each thread's __thread variables, errno and pthread_self stay its own across every switch. */
#include "validator.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

enum { THREADS = 24, ROUNDS = 40, WORDS = 32 };

static __thread unsigned words[WORDS];
static __thread unsigned own_id = 77; /* initialised data of the TLS image */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t tokens;
static int pipe_fds[2];

/* Asked anew each time: a compiler may keep the address of a TLS variable over a call. */
__attribute__((noinline)) static unsigned *words_address(void)
{
    __asm__ volatile("");
    return words;
}

static void switch_by_mutex(void)
{
    REQUIRE_EQUAL(pthread_mutex_lock(&lock), 0);
    sched_yield();
    REQUIRE_EQUAL(pthread_mutex_unlock(&lock), 0);
}

static void switch_by_semaphore(void)
{
    while (sem_wait(&tokens) != 0) {
        REQUIRE_EQUAL(errno, EINTR);
    }
    sched_yield();
    REQUIRE_EQUAL(sem_post(&tokens), 0);
}

static void switch_by_pipe(void)
{
    char byte = 0;
    REQUIRE_EQUAL(read(pipe_fds[0], &byte, 1), 1);
    REQUIRE_EQUAL(write(pipe_fds[1], &byte, 1), 1);
}

static void switch_by_sleep(void)
{
    validator_sleep_ms(1);
}

static void (*const switches[])(void) = {switch_by_mutex, switch_by_semaphore, switch_by_pipe,
                                         switch_by_sleep};

static void check_words(const unsigned *kept, unsigned id)
{
    REQUIRE(words_address() == kept);
    REQUIRE_EQUAL(own_id, id);
    for (unsigned i = 0; i < WORDS; i++) {
        REQUIRE_EQUAL(kept[i], id * WORDS + i);
    }
}

static void check_errno(int *kept, unsigned id)
{
    REQUIRE(&errno == kept);
    errno = 1000 + (int)id;
    sched_yield();
    REQUIRE_EQUAL(errno, 1000 + (int)id);
    switch_by_mutex();
    REQUIRE_EQUAL(errno, 1000 + (int)id);
    REQUIRE_EQUAL(close(-1), -1);
    sched_yield();
    REQUIRE_EQUAL(errno, EBADF);
}

static void *run(void *argument)
{
    unsigned id = (unsigned)(uintptr_t)argument;
    pthread_t self = pthread_self();
    unsigned *kept = words_address();
    int *kept_errno = &errno;
    REQUIRE_EQUAL(own_id, 77);
    own_id = id;
    for (unsigned i = 0; i < WORDS; i++) {
        REQUIRE_EQUAL(kept[i], 0);
        kept[i] = id * WORDS + i;
    }
    for (unsigned round = 0; round < ROUNDS; round++) {
        switches[(id + round) % (sizeof switches / sizeof switches[0])]();
        check_words(kept, id);
        check_errno(kept_errno, id);
        REQUIRE(pthread_equal(pthread_self(), self));
    }
    return argument;
}

int main(void)
{
    pthread_t threads[THREADS];
    REQUIRE_EQUAL(sem_init(&tokens, 0, 2), 0);
    REQUIRE_EQUAL(pipe(pipe_fds), 0);
    REQUIRE_EQUAL(write(pipe_fds[1], "ab", 2), 2);
    for (uintptr_t i = 0; i < THREADS; i++) {
        threads[i] = validator_spawn(run, (void *)(i + 1));
    }
    run((void *)(uintptr_t)(THREADS + 1)); /* main is a thread like any other */
    for (uintptr_t i = 0; i < THREADS; i++) {
        REQUIRE(validator_join(threads[i]) == (void *)(i + 1));
    }
    return validator_finish();
}
