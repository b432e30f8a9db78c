/* Cancellation: deferred at the cancellation points, cleanup handlers, then TLS destructors. */
#include "validator.h"

#include "inet.h"

#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t never_signalled = PTHREAD_COND_INITIALIZER;
static sem_t never_posted;
static int silent_pipe[2], silent_socket, silent_listener;
static FILE *silent_stream;
static pthread_key_t key;
static unsigned waiting; /* changed atomically */

struct record {
    char order[8]; /* one letter an event */
    unsigned count;
};

static void note(struct record *record, char event)
{
    REQUIRE(record->count < sizeof record->order);
    record->order[record->count++] = event;
}

static void clean_up_outer(void *argument)
{
    note(argument, 'o');
}

static void clean_up_inner(void *argument)
{
    note(argument, 'i');
}

static void destroy_value(void *argument)
{
    note(argument, 'd');
}

static void unlock(void *argument)
{
    (void)argument;
    REQUIRE_EQUAL(pthread_mutex_unlock(&mutex), 0); /* held again: POSIX pthread_cond_wait */
}

static void wait_in_cond(void)
{
    REQUIRE_EQUAL(pthread_mutex_lock(&mutex), 0);
    pthread_cleanup_push(unlock, NULL);
    for (;;) {
        pthread_cond_wait(&never_signalled, &mutex);
    }
    pthread_cleanup_pop(0);
}

static void wait_in_timed_cond(void)
{
    struct timespec due = validator_deadline(CLOCK_REALTIME, 20000);
    REQUIRE_EQUAL(pthread_mutex_lock(&mutex), 0);
    pthread_cleanup_push(unlock, NULL);
    for (;;) {
        pthread_cond_timedwait(&never_signalled, &mutex, &due);
    }
    pthread_cleanup_pop(0);
}

static void wait_in_read(void)
{
    char byte;
    (void)!read(silent_pipe[0], &byte, 1);
}

static void wait_in_sleep(void)
{
    sleep(20);
}

static void wait_in_nanosleep(void)
{
    struct timespec limit = {.tv_sec = 20};
    nanosleep(&limit, NULL);
}

static void wait_in_semaphore(void)
{
    sem_wait(&never_posted);
}

static void wait_in_poll(void)
{
    struct pollfd wanted = {.fd = silent_pipe[0], .events = POLLIN};
    poll(&wanted, 1, 20000);
}

static void wait_in_epoll(void)
{
    struct epoll_event event = {.events = EPOLLIN};
    int epoll_fd = epoll_create1(0);
    REQUIRE_EQUAL(epoll_ctl(epoll_fd, EPOLL_CTL_ADD, silent_pipe[0], &event), 0);
    epoll_wait(epoll_fd, &event, 1, -1);
}

static void wait_in_receive(void)
{
    char byte;
    recv(silent_socket, &byte, 1, 0);
}

static void wait_in_accept(void)
{
    accept(silent_listener, NULL, NULL);
}

static void *sleep_long(void *argument)
{
    sleep(20);
    return argument;
}

static void cancel_and_join(void *argument)
{
    pthread_t thread = *(const pthread_t *)argument;
    REQUIRE_EQUAL(pthread_cancel(thread), 0);
    REQUIRE(validator_join(thread) == PTHREAD_CANCELED); /* still joinable */
}

static void wait_in_join(void)
{
    pthread_t thread = validator_spawn(sleep_long, NULL);
    pthread_cleanup_push(cancel_and_join, &thread);
    pthread_join(thread, NULL);
    pthread_cleanup_pop(0);
}

/* Cancellation points inside libc: its own read and write. */
static void wait_in_stdio(void)
{
    char line[16];
    (void)!fgets(line, sizeof line, silent_stream);
}

static void write_on(void)
{
    FILE *null = fopen("/dev/null", "w");
    REQUIRE(null != NULL);
    for (;;) {
        fprintf(null, "text");
    }
}

static void test_cancel(void)
{
    for (;;) {
        pthread_testcancel();
        usleep(100);
    }
}

typedef void wait_function(void);
static wait_function *const waits[] = {
    wait_in_cond,      wait_in_timed_cond, wait_in_read,  wait_in_sleep,   wait_in_nanosleep,
    wait_in_semaphore, wait_in_poll,       wait_in_epoll, wait_in_receive, wait_in_accept,
    wait_in_join,      test_cancel,        wait_in_stdio, write_on};
enum { WAITS = sizeof waits / sizeof waits[0] };

struct victim {
    wait_function *wait;
    struct record record;
};

static void *run_victim(void *argument)
{
    struct victim *victim = argument;
    REQUIRE_EQUAL(pthread_setspecific(key, &victim->record), 0);
    pthread_cleanup_push(clean_up_outer, &victim->record);
    pthread_cleanup_push(clean_up_inner, &victim->record);
    __atomic_add_fetch(&waiting, 1, __ATOMIC_SEQ_CST);
    victim->wait();
    validator_fail(__FILE__, __LINE__, "the wait returned");
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return NULL;
}

static void check_record(const struct record *record, const char *expected)
{
    for (unsigned i = 0; i < record->count || expected[i] != 0; i++) {
        REQUIRE_EQUAL(record->order[i], expected[i]);
    }
}

/* delay_ms 0: mostly the request comes before the wait, else while it waits. */
static void check_all_points(int64_t delay_ms)
{
    struct victim victims[WAITS] = {{.wait = NULL}};
    pthread_t threads[WAITS];
    waiting = 0;
    for (unsigned i = 0; i < WAITS; i++) {
        victims[i].wait = waits[i];
        threads[i] = validator_spawn(run_victim, &victims[i]);
    }
    while (__atomic_load_n(&waiting, __ATOMIC_SEQ_CST) < WAITS) {
        validator_sleep_ms(1);
    }
    validator_sleep_ms(delay_ms);
    for (unsigned i = 0; i < WAITS; i++) {
        REQUIRE_EQUAL(pthread_cancel(threads[i]), 0);
    }
    for (unsigned i = 0; i < WAITS; i++) {
        REQUIRE(validator_join(threads[i]) == PTHREAD_CANCELED);
        check_record(&victims[i].record, "iod");
    }
    REQUIRE_EQUAL(pthread_mutex_lock(&mutex), 0);
    REQUIRE_EQUAL(pthread_mutex_unlock(&mutex), 0);
}

/* Disabled, the request stays pending over cancellation points until it is enabled again. */
static void *defer_while_disabled(void *argument)
{
    int old = -1;
    REQUIRE_EQUAL(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old), 0);
    REQUIRE_EQUAL(old, PTHREAD_CANCEL_ENABLE);
    REQUIRE_EQUAL(pthread_cancel(pthread_self()), 0);
    pthread_testcancel();
    usleep(1000);
    note(argument, 'a');
    REQUIRE_EQUAL(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old), 0);
    REQUIRE_EQUAL(old, PTHREAD_CANCEL_DISABLE);
    REQUIRE_EQUAL(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old), 0);
    REQUIRE_EQUAL(old, PTHREAD_CANCEL_DEFERRED);
    note(argument, 'b');
    pthread_testcancel();
    note(argument, 'c');
    return NULL;
}

static void *exit_from_handlers(void *argument)
{
    REQUIRE_EQUAL(pthread_setspecific(key, argument), 0);
    pthread_cleanup_push(clean_up_outer, argument);
    pthread_cleanup_push(clean_up_inner, argument);
    pthread_exit(argument);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return NULL;
}

/* Waiting for a mutex is no cancellation point. */
static void *lock_uncancelled(void *argument)
{
    REQUIRE_EQUAL(pthread_mutex_lock(&mutex), 0);
    REQUIRE_EQUAL(pthread_mutex_unlock(&mutex), 0);
    note(argument, 'l');
    pthread_testcancel();
    note(argument, 'x');
    return NULL;
}

static void check_mutex_is_no_point(void)
{
    struct record record = {.count = 0};
    REQUIRE_EQUAL(pthread_mutex_lock(&mutex), 0);
    pthread_t thread = validator_spawn(lock_uncancelled, &record);
    validator_sleep_ms(5);
    REQUIRE_EQUAL(pthread_cancel(thread), 0);
    validator_sleep_ms(5);
    REQUIRE_EQUAL(pthread_mutex_unlock(&mutex), 0);
    REQUIRE(validator_join(thread) == PTHREAD_CANCELED);
    check_record(&record, "l");
}

/* A cleanup handler may wait, and is not cancelled itself. */
static void wait_in_handler(void *argument)
{
    char byte;
    int ready[2];
    usleep(1000);
    REQUIRE_EQUAL(pipe(ready), 0);
    REQUIRE_EQUAL(write(ready[1], "x", 1), 1);
    REQUIRE_EQUAL(read(ready[0], &byte, 1), 1);
    pthread_testcancel();
    REQUIRE_EQUAL(close(ready[0]) | close(ready[1]), 0);
    note(argument, 'h');
}

static void *run_waiting_handler(void *argument)
{
    pthread_cleanup_push(wait_in_handler, argument);
    write_on();
    pthread_cleanup_pop(0);
    return NULL;
}

static void check_waiting_handler(void)
{
    struct record record = {.count = 0};
    pthread_t thread = validator_spawn(run_waiting_handler, &record);
    validator_sleep_ms(5);
    REQUIRE_EQUAL(pthread_cancel(thread), 0);
    REQUIRE(validator_join(thread) == PTHREAD_CANCELED);
    check_record(&record, "h");
}

int main(void)
{
    struct sockaddr_in address;
    struct record deferred = {.count = 0};
    struct record left = {.count = 0};
    REQUIRE_EQUAL(sem_init(&never_posted, 0, 0), 0);
    REQUIRE_EQUAL(pipe(silent_pipe), 0);
    silent_socket = inet_bound(SOCK_DGRAM, &address);
    silent_listener = inet_bound(SOCK_STREAM, &address);
    REQUIRE_EQUAL(listen(silent_listener, 1), 0);
    REQUIRE_EQUAL(pthread_key_create(&key, destroy_value), 0);
    silent_stream = fdopen(dup(silent_pipe[0]), "r");
    check_all_points(10);
    check_waiting_handler();
    check_all_points(0);
    REQUIRE(validator_join(validator_spawn(defer_while_disabled, &deferred)) == PTHREAD_CANCELED);
    check_record(&deferred, "ab");
    REQUIRE(validator_join(validator_spawn(exit_from_handlers, &left)) == &left);
    check_record(&left, "iod");
    check_mutex_is_no_point();
    return validator_finish();
}
