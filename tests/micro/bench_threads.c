/*
 * Measures one thing that threads do and prints one number, in the unit that its name ends with.
 * Usage: bench_threads NAME, or without NAME the list of names.
 * It knows nothing of libpscope: scripts/bench-pscope runs it with and without the library.
 */
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/check.h"

enum {
    YIELDS = 100000,
    LOCKS = 5000000,
    HANDOFFS = 50000,
    CREATES = 5000,
    SLEEPERS = 1000,
    SLEEPS = 50,
    CONNECTIONS = 1000,
    ECHO_MS = 400,
    SMALL_STACK = 64 * 1024
};

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static double cpu_ns(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e9 +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e3;
}

static pthread_t spawn(void *(*run)(void *), void *argument)
{
    pthread_t thread;
    pthread_attr_t attributes;
    CHECK(pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setstacksize(&attributes, SMALL_STACK) == 0);
    CHECK(pthread_create(&thread, &attributes, run, argument) == 0);
    CHECK(pthread_attr_destroy(&attributes) == 0);
    return thread;
}

/* Runs two threads and tells how long they took together. */
static double time_pair_ns(void *(*first)(void *), void *(*second)(void *))
{
    double start_ns = now_ns();
    pthread_t a = spawn(first, NULL);
    pthread_t b = spawn(second, NULL);
    CHECK(pthread_join(a, NULL) == 0);
    CHECK(pthread_join(b, NULL) == 0);
    return now_ns() - start_ns;
}

static void *yield_often(void *argument)
{
    for (unsigned i = 0; i < YIELDS; i++) {
        sched_yield();
    }
    return argument;
}

static double measure_yield(void)
{
    return time_pair_ns(yield_often, yield_often) / (2 * YIELDS);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned turn; /* under mutex */

static void *lock_often(void *argument)
{
    double start_ns = now_ns();
    for (unsigned i = 0; i < LOCKS; i++) {
        pthread_mutex_lock(&mutex);
        __asm__ volatile("" : : : "memory");
        pthread_mutex_unlock(&mutex);
    }
    *(double *)argument = (now_ns() - start_ns) / LOCKS;
    return NULL;
}

static double measure_mutex(void)
{
    double result_ns = 0;
    CHECK(pthread_join(spawn(lock_often, &result_ns), NULL) == 0);
    return result_ns;
}

static void hand_over(unsigned parity)
{
    pthread_mutex_lock(&mutex);
    while (turn < 2 * HANDOFFS) {
        if (turn % 2 == parity) {
            turn++;
            pthread_cond_signal(&changed);
        } else {
            pthread_cond_wait(&changed, &mutex);
        }
    }
    pthread_mutex_unlock(&mutex);
}

static void *hand_over_even(void *argument)
{
    hand_over(0);
    return argument;
}

static void *hand_over_odd(void *argument)
{
    hand_over(1);
    return argument;
}

static double measure_handoff(void)
{
    turn = 0;
    return time_pair_ns(hand_over_even, hand_over_odd) / (2 * HANDOFFS);
}

static sem_t ping, pong;

static void *send_pings(void *argument)
{
    for (unsigned i = 0; i < HANDOFFS; i++) {
        sem_post(&ping);
        sem_wait(&pong);
    }
    return argument;
}

static void *send_pongs(void *argument)
{
    for (unsigned i = 0; i < HANDOFFS; i++) {
        sem_wait(&ping);
        sem_post(&pong);
    }
    return argument;
}

static double measure_semaphore(void)
{
    CHECK(sem_init(&ping, 0, 0) == 0);
    CHECK(sem_init(&pong, 0, 0) == 0);
    return time_pair_ns(send_pings, send_pongs) / (2 * HANDOFFS);
}

static void *return_at_once(void *argument)
{
    return argument;
}

static double measure_create(void)
{
    double start_ns = now_ns();
    for (unsigned i = 0; i < CREATES; i++) {
        CHECK(pthread_join(spawn(return_at_once, NULL), NULL) == 0);
    }
    return (now_ns() - start_ns) / CREATES;
}

static void *sleep_often(void *argument)
{
    struct timespec one_ms = {.tv_nsec = 1000000};
    for (unsigned i = 0; i < SLEEPS; i++) {
        nanosleep(&one_ms, NULL);
    }
    return argument;
}

/* CPU time, not elapsed time: sleeping shall cost nothing. */
static double measure_sleep(void)
{
    static pthread_t threads[SLEEPERS];
    double start_ns = cpu_ns();
    for (unsigned i = 0; i < SLEEPERS; i++) {
        threads[i] = spawn(sleep_often, NULL);
    }
    for (unsigned i = 0; i < SLEEPERS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    return (cpu_ns() - start_ns) / ((double)SLEEPERS * SLEEPS);
}

static void raise_descriptor_limit(void)
{
    struct rlimit limit;
    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    limit.rlim_cur = limit.rlim_max;
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    CHECK(limit.rlim_max > 2 * CONNECTIONS + 50);
}

/* The client process: one byte under way on each connection, for ECHO_MS. Prints ns per echo. */
static void drive_connections(const struct sockaddr_in *server)
{
    int epoll_fd = epoll_create1(0);
    for (unsigned i = 0; i < CONNECTIONS; i++) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
        CHECK(connect(fd, (const struct sockaddr *)server, sizeof *server) == 0);
        CHECK(epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0);
        CHECK(send(fd, "x", 1, 0) == 1);
    }
    double start_ns = now_ns();
    double end_ns = start_ns + ECHO_MS * 1e6;
    uint64_t echoes = 0;
    while (now_ns() < end_ns) {
        struct epoll_event events[64];
        int ready = epoll_wait(epoll_fd, events, 64, -1);
        for (int i = 0; i < ready; i++) {
            char byte;
            CHECK(recv(events[i].data.fd, &byte, 1, 0) == 1);
            CHECK(send(events[i].data.fd, &byte, 1, 0) == 1);
            echoes++;
        }
    }
    printf("%.1f\n", (now_ns() - start_ns) / (double)echoes);
    fflush(stdout);
}

static void *echo(void *argument)
{
    int fd = (int)(intptr_t)argument;
    char bytes[16];
    ssize_t count;
    while ((count = read(fd, bytes, sizeof bytes)) > 0 && write(fd, bytes, (size_t)count) > 0) {
    }
    close(fd);
    return NULL;
}

/* A thread for each connection; the client is a process without the threads. */
static double measure_echo(void)
{
    static pthread_t threads[CONNECTIONS];
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int status = -1;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    signal(SIGPIPE, SIG_IGN);
    raise_descriptor_limit();
    CHECK(bind(listener, (struct sockaddr *)&address, length) == 0);
    CHECK(getsockname(listener, (struct sockaddr *)&address, &length) == 0);
    CHECK(listen(listener, CONNECTIONS) == 0);
    pid_t client = fork();
    CHECK(client >= 0);
    if (client == 0) {
        close(listener);
        drive_connections(&address);
        _exit(0);
    }
    for (unsigned i = 0; i < CONNECTIONS; i++) {
        int fd = accept(listener, NULL, NULL);
        CHECK(fd >= 0);
        threads[i] = spawn(echo, (void *)(intptr_t)fd);
    }
    for (unsigned i = 0; i < CONNECTIONS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    CHECK(waitpid(client, &status, 0) == client);
    CHECK(status == 0);
    return 0;
}

static const struct {
    const char *name;
    double (*measure)(void); /* 0: it has printed the number itself */
} benchmarks[] = {
    {"yield_ns", measure_yield},          {"mutex_lock_unlock_ns", measure_mutex},
    {"cond_handoff_ns", measure_handoff}, {"sem_handoff_ns", measure_semaphore},
    {"create_join_ns", measure_create},   {"sleep_1ms_x1000_cpu_ns", measure_sleep},
    {"tcp_echo_x1000_ns", measure_echo},
};

int main(int argc, char **argv)
{
    for (unsigned i = 0; i < sizeof benchmarks / sizeof benchmarks[0]; i++) {
        if (argc < 2) {
            puts(benchmarks[i].name);
        } else if (strcmp(benchmarks[i].name, argv[1]) == 0) {
            double value = benchmarks[i].measure();
            if (value > 0) {
                printf("%.1f\n", value);
            }
            return 0;
        }
    }
    return argc < 2 ? 0 : 1;
}
