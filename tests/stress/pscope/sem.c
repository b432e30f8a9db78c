/* Semaphores: counting, hand-offs, time-outs on both clocks, and between processes. */
#include "validator.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HANDOFFS = 3000, WORKERS = 8, ROUNDS = 300, WAIT_MS = 15 };

static sem_t ping, pong, slots;
static unsigned inside; /* changed atomically */

static void *answer_pings(void *argument)
{
    for (unsigned i = 0; i < HANDOFFS; i++) {
        REQUIRE_EQUAL(sem_wait(&ping), 0);
        REQUIRE_EQUAL(sem_post(&pong), 0);
    }
    return argument;
}

static void check_handoff(void)
{
    pthread_t other = validator_spawn(answer_pings, NULL);
    for (unsigned i = 0; i < HANDOFFS; i++) {
        REQUIRE_EQUAL(sem_post(&ping), 0);
        REQUIRE_EQUAL(sem_wait(&pong), 0);
    }
    validator_join(other);
}

static void *use_slot(void *argument)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        REQUIRE_EQUAL(sem_wait(&slots), 0);
        REQUIRE(__atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST) <= 3);
        sched_yield();
        __atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
        REQUIRE_EQUAL(sem_post(&slots), 0);
    }
    return argument;
}

static void check_counting(void)
{
    pthread_t threads[WORKERS];
    int value = -1;
    for (unsigned i = 0; i < WORKERS; i++) {
        threads[i] = validator_spawn(use_slot, NULL);
    }
    for (unsigned i = 0; i < WORKERS; i++) {
        validator_join(threads[i]);
    }
    REQUIRE_EQUAL(sem_getvalue(&slots, &value), 0);
    REQUIRE_EQUAL(value, 3);
}

static void *time_out(void *argument)
{
    struct timespec past = {.tv_sec = 1};
    struct timespec invalid = {.tv_sec = 2000000000, .tv_nsec = 1000000000};
    REQUIRE_ERRNO(sem_trywait(&ping), EAGAIN);
    REQUIRE_ERRNO(sem_timedwait(&ping, &past), ETIMEDOUT);
    REQUIRE_ERRNO(sem_timedwait(&ping, &invalid), EINVAL);
    struct timespec due = validator_deadline(CLOCK_REALTIME, WAIT_MS);
    REQUIRE_ERRNO(sem_timedwait(&ping, &due), ETIMEDOUT);
    REQUIRE(validator_now_ns(CLOCK_REALTIME) >= (int64_t)due.tv_sec * 1000000000 + due.tv_nsec);
    due = validator_deadline(CLOCK_MONOTONIC, WAIT_MS);
    REQUIRE_ERRNO(sem_clockwait(&ping, CLOCK_MONOTONIC, &due), ETIMEDOUT);
    REQUIRE(validator_now_ns(CLOCK_MONOTONIC) >= (int64_t)due.tv_sec * 1000000000 + due.tv_nsec);
    return argument;
}

static void *take_in_time(void *argument)
{
    struct timespec due = validator_deadline(CLOCK_REALTIME, 20000);
    REQUIRE_EQUAL(sem_timedwait(&ping, &due), 0);
    due = validator_deadline(CLOCK_MONOTONIC, 20000);
    REQUIRE_EQUAL(sem_clockwait(&ping, CLOCK_MONOTONIC, &due), 0);
    return argument;
}

static void check_timeouts(void)
{
    pthread_t threads[WORKERS];
    for (unsigned i = 0; i < WORKERS; i++) {
        threads[i] = validator_spawn(time_out, NULL);
    }
    for (unsigned i = 0; i < WORKERS; i++) {
        validator_join(threads[i]);
    }
    pthread_t taker = validator_spawn(take_in_time, NULL);
    validator_sleep_ms(2);
    REQUIRE_EQUAL(sem_post(&ping), 0);
    validator_sleep_ms(2);
    REQUIRE_EQUAL(sem_post(&ping), 0);
    validator_join(taker);
    REQUIRE_EQUAL(sem_post(&ping), 0);
    REQUIRE_EQUAL(sem_trywait(&ping), 0);
}

static void *wait_for(void *semaphore)
{
    REQUIRE_EQUAL(sem_wait(semaphore), 0);
    return NULL;
}

/* A thread waits on a semaphore in shared memory that a child process posts. */
static void check_between_processes(void)
{
    int status = -1;
    sem_t *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(shared != MAP_FAILED);
    REQUIRE_EQUAL(sem_init(shared, 1, 0), 0);
    pthread_t waiter = validator_spawn(wait_for, shared);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        usleep(5000);
        _exit(sem_post(shared) == 0 ? 0 : 1);
    }
    validator_join(waiter);
    REQUIRE_EQUAL(waitpid(child, &status, 0), child);
    REQUIRE_EQUAL(status, 0);
    REQUIRE_EQUAL(munmap(shared, sizeof *shared), 0);
}

int main(void)
{
    REQUIRE_EQUAL(sem_init(&ping, 0, 0), 0);
    REQUIRE_EQUAL(sem_init(&pong, 0, 0), 0);
    REQUIRE_EQUAL(sem_init(&slots, 0, 3), 0);
    check_handoff();
    check_counting();
    check_timeouts();
    check_between_processes();
    REQUIRE_EQUAL(sem_destroy(&ping), 0);
    return validator_finish();
}
