/* Waiting for readiness: poll, ppoll, select, pselect and epoll_wait, in many threads at once. */
#include "validator.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <unistd.h>

enum { KINDS = 5, THREADS = 15, ROUNDS = 30, WAIT_MS = 15 };

static int wait_by_poll(int fd, int timeout_ms)
{
    struct pollfd wanted = {.fd = fd, .events = POLLIN};
    int ready = poll(&wanted, 1, timeout_ms);
    REQUIRE_EQUAL(wanted.revents, ready == 1 ? POLLIN : 0);
    return ready;
}

static struct timespec *as_timespec(int timeout_ms, struct timespec *timeout)
{
    *timeout =
        (struct timespec){.tv_sec = timeout_ms / 1000, .tv_nsec = timeout_ms % 1000 * 1000000L};
    return timeout_ms < 0 ? NULL : timeout;
}

static int wait_by_ppoll(int fd, int timeout_ms)
{
    struct timespec timeout;
    struct pollfd wanted = {.fd = fd, .events = POLLIN};
    return ppoll(&wanted, 1, as_timespec(timeout_ms, &timeout), NULL);
}

static int wait_by_select(int fd, int timeout_ms)
{
    fd_set set;
    struct timeval timeout = {.tv_sec = timeout_ms / 1000, .tv_usec = timeout_ms % 1000 * 1000};
    FD_ZERO(&set);
    FD_SET(fd, &set);
    int ready = select(fd + 1, &set, NULL, NULL, timeout_ms < 0 ? NULL : &timeout);
    REQUIRE_EQUAL(FD_ISSET(fd, &set) != 0, ready);
    return ready;
}

static int wait_by_pselect(int fd, int timeout_ms)
{
    fd_set set;
    struct timespec timeout;
    FD_ZERO(&set);
    FD_SET(fd, &set);
    return pselect(fd + 1, &set, NULL, NULL, as_timespec(timeout_ms, &timeout), NULL);
}

static int wait_by_epoll(int fd, int timeout_ms)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    int epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    REQUIRE(epoll_fd >= 0);
    REQUIRE_EQUAL(epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event), 0);
    int ready = epoll_wait(epoll_fd, &event, 1, timeout_ms);
    if (ready == 1) {
        REQUIRE_EQUAL(event.events, EPOLLIN);
        REQUIRE_EQUAL(event.data.fd, fd);
    }
    REQUIRE_EQUAL(close(epoll_fd), 0);
    return ready;
}

static int (*const waits[KINDS])(int, int) = {wait_by_poll, wait_by_ppoll, wait_by_select,
                                              wait_by_pselect, wait_by_epoll};

struct exchange {
    int request_fd, reply_fd; /* event counters */
    unsigned kind;
};

static void *answer(void *argument)
{
    struct exchange *exchange = argument;
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint64_t number = 0;
        REQUIRE_EQUAL(waits[exchange->kind](exchange->request_fd, -1), 1);
        REQUIRE_EQUAL(read(exchange->request_fd, &number, sizeof number), sizeof number);
        REQUIRE_EQUAL(write(exchange->reply_fd, &number, sizeof number), sizeof number);
    }
    return NULL;
}

static void *ask(void *argument)
{
    struct exchange *exchange = argument;
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        uint64_t number = round;
        REQUIRE_EQUAL(write(exchange->request_fd, &number, sizeof number), sizeof number);
        REQUIRE_EQUAL(waits[(exchange->kind + 1) % KINDS](exchange->reply_fd, 20000), 1);
        REQUIRE_EQUAL(read(exchange->reply_fd, &number, sizeof number), sizeof number);
        REQUIRE_EQUAL(number, round);
    }
    return NULL;
}

static void check_exchanges(void)
{
    struct exchange exchanges[THREADS];
    pthread_t threads[2 * THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        exchanges[i] = (struct exchange){eventfd(0, 0), eventfd(0, 0), i % KINDS};
        threads[2 * i] = validator_spawn(answer, &exchanges[i]);
        threads[2 * i + 1] = validator_spawn(ask, &exchanges[i]);
    }
    for (unsigned i = 0; i < 2 * THREADS; i++) {
        validator_join(threads[i]);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        REQUIRE_EQUAL(close(exchanges[i].request_fd), 0);
        REQUIRE_EQUAL(close(exchanges[i].reply_fd), 0);
    }
}

static void *time_out(void *argument)
{
    int (*wait)(int, int) = waits[(uintptr_t)argument];
    int silent = eventfd(0, 0);
    int64_t start_ns = validator_now_ns(CLOCK_MONOTONIC);
    REQUIRE_EQUAL(wait(silent, 0), 0);
    REQUIRE_EQUAL(wait(silent, WAIT_MS), 0);
    REQUIRE(validator_now_ns(CLOCK_MONOTONIC) - start_ns >= (int64_t)WAIT_MS * 1000000);
    REQUIRE_EQUAL(close(silent), 0);
    return NULL;
}

static void *check_special_cases(void *argument)
{
    struct pollfd bad = {.fd = 1000, .events = POLLIN};
    struct pollfd ignored = {.fd = -1, .events = POLLIN};
    struct timeval ten_ms = {.tv_usec = 10000};
    struct epoll_event event;
    int fds[2];
    REQUIRE_EQUAL(poll(&bad, 1, -1), 1);
    REQUIRE_EQUAL(bad.revents, POLLNVAL);
    REQUIRE_EQUAL(poll(&ignored, 1, 5), 0);
    REQUIRE_EQUAL(poll(NULL, 0, 5), 0);
    REQUIRE_EQUAL(select(0, NULL, NULL, NULL, &ten_ms), 0); /* an old way to sleep */
    REQUIRE_ERRNO(epoll_wait(-1, &event, 1, 5), EBADF);
    REQUIRE_EQUAL(pipe(fds), 0);
    REQUIRE_ERRNO(epoll_wait(fds[0], &event, 1, 5), EINVAL);
    REQUIRE_EQUAL(close(fds[1]), 0);
    struct pollfd hung_up = {.fd = fds[0], .events = POLLIN};
    REQUIRE_EQUAL(poll(&hung_up, 1, -1), 1);
    REQUIRE_EQUAL(hung_up.revents, POLLHUP);
    REQUIRE_EQUAL(close(fds[0]), 0);
    return argument;
}

int main(void)
{
    pthread_t threads[KINDS];
    check_exchanges();
    for (uintptr_t i = 0; i < KINDS; i++) {
        threads[i] = validator_spawn(time_out, (void *)i);
    }
    for (unsigned i = 0; i < KINDS; i++) {
        validator_join(threads[i]);
    }
    validator_join(validator_spawn(check_special_cases, NULL));
    return validator_finish();
}
