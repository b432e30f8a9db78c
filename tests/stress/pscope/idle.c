/* A process whose threads all wait uses no CPU and is not woken. */
#include "validator.h"

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

enum { THREADS = 40, IDLE_MS = 400, CPU_LIMIT_US = 20000, WAKEUPS_LIMIT = 40 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static sem_t gate;
static int pipe_fds[2];
static unsigned waiting; /* changed atomically */
static bool open_now;

static void wait_in_cond(void)
{
    REQUIRE_EQUAL(pthread_mutex_lock(&mutex), 0);
    while (!open_now) {
        REQUIRE_EQUAL(pthread_cond_wait(&opened, &mutex), 0);
    }
    REQUIRE_EQUAL(pthread_mutex_unlock(&mutex), 0);
}

static void wait_in_semaphore(void)
{
    REQUIRE_EQUAL(sem_wait(&gate), 0);
}

static void wait_in_poll(void)
{
    struct pollfd wanted = {.fd = pipe_fds[0], .events = POLLIN};
    REQUIRE_EQUAL(poll(&wanted, 1, 20000), 1);
}

static void wait_in_epoll(void)
{
    struct epoll_event event = {.events = EPOLLIN};
    int epoll_fd = epoll_create1(0);
    REQUIRE_EQUAL(epoll_ctl(epoll_fd, EPOLL_CTL_ADD, pipe_fds[0], &event), 0);
    REQUIRE_EQUAL(epoll_wait(epoll_fd, &event, 1, -1), 1);
    REQUIRE_EQUAL(close(epoll_fd), 0);
}

static void (*const waits[])(void) = {wait_in_cond, wait_in_semaphore, wait_in_poll, wait_in_epoll};

static void *run(void *argument)
{
    __atomic_add_fetch(&waiting, 1, __ATOMIC_SEQ_CST);
    waits[(uintptr_t)argument % 4]();
    return NULL;
}

static int64_t cpu_us(const struct rusage *usage)
{
    return (usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * (int64_t)1000000 +
           usage->ru_utime.tv_usec + usage->ru_stime.tv_usec;
}

static void check_idle(void)
{
    struct rusage before, after;
    validator_sleep_ms(50); /* let the last of them come to rest */
    REQUIRE_EQUAL(getrusage(RUSAGE_SELF, &before), 0);
    validator_sleep_ms(IDLE_MS);
    REQUIRE_EQUAL(getrusage(RUSAGE_SELF, &after), 0);
    int64_t used_us = cpu_us(&after) - cpu_us(&before);
    long wakeups = after.ru_nvcsw - before.ru_nvcsw;
    if (used_us > CPU_LIMIT_US || wakeups > WAKEUPS_LIMIT) {
        validator_fail(__FILE__, __LINE__, "in %d ms of rest: %jd us of CPU, %ld wake-ups", IDLE_MS,
                       (intmax_t)used_us, wakeups);
    }
}

int main(void)
{
    pthread_t threads[THREADS];
    REQUIRE_EQUAL(sem_init(&gate, 0, 0), 0);
    REQUIRE_EQUAL(pipe(pipe_fds), 0);
    for (uintptr_t i = 0; i < THREADS; i++) {
        threads[i] = validator_spawn(run, (void *)i);
    }
    while (__atomic_load_n(&waiting, __ATOMIC_SEQ_CST) < THREADS) {
        validator_sleep_ms(1);
    }
    check_idle();
    REQUIRE_EQUAL(pthread_mutex_lock(&mutex), 0);
    open_now = true;
    REQUIRE_EQUAL(pthread_cond_broadcast(&opened), 0);
    REQUIRE_EQUAL(pthread_mutex_unlock(&mutex), 0);
    for (unsigned i = 0; i < THREADS / 4; i++) {
        REQUIRE_EQUAL(sem_post(&gate), 0);
    }
    REQUIRE_EQUAL(write(pipe_fds[1], "x", 1), 1);
    for (unsigned i = 0; i < THREADS; i++) {
        validator_join(threads[i]);
    }
    return validator_finish();
}
