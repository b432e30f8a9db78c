/* Event loops: one epoll set a thread and one set for all, level, edge and one-shot. */
#include "validator.h"

#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LOOPS = 3, SOURCES = 20, EVENTS = 40 };

struct loop {
    int epoll_fd, stop_fd;
    unsigned handled; /* changed atomically */
    uint32_t flags;
};

static void watch(struct loop *loop, int operation, int fd, uint32_t flags)
{
    struct epoll_event event = {.events = flags, .data.fd = fd};
    REQUIRE_EQUAL(epoll_ctl(loop->epoll_fd, operation, fd, &event), 0);
}

static void handle(struct loop *loop, int fd)
{
    char bytes[16];
    ssize_t count;
    while ((count = recv(fd, bytes, sizeof bytes, MSG_DONTWAIT)) > 0) {
        __atomic_add_fetch(&loop->handled, (unsigned)count, __ATOMIC_SEQ_CST);
    }
    if ((loop->flags & EPOLLONESHOT) != 0) {
        watch(loop, EPOLL_CTL_MOD, fd, EPOLLIN | loop->flags);
    }
}

static void *run_loop(void *argument)
{
    struct loop *loop = argument;
    for (;;) {
        struct epoll_event events[4];
        int count = epoll_wait(loop->epoll_fd, events, 4, -1);
        REQUIRE(count > 0);
        for (int i = 0; i < count; i++) {
            if (events[i].data.fd == loop->stop_fd) {
                return NULL;
            }
            handle(loop, events[i].data.fd);
        }
    }
}

static void *send_events(void *argument)
{
    int fd = *(const int *)argument;
    for (unsigned i = 0; i < EVENTS; i++) {
        REQUIRE_EQUAL(write(fd, "x", 1), 1);
        if (i % 8 == 0) {
            validator_sleep_ms(1);
        }
    }
    return NULL;
}

static void check_loop(uint32_t flags, unsigned threads_count)
{
    struct loop loop = {.epoll_fd = epoll_create1(0), .stop_fd = eventfd(0, 0), .flags = flags};
    pthread_t loops[LOOPS], senders[SOURCES];
    int pairs[SOURCES][2];
    uint64_t one = 1;
    watch(&loop, EPOLL_CTL_ADD, loop.stop_fd, EPOLLIN); /* never read: stops every thread */
    for (unsigned i = 0; i < threads_count; i++) {
        loops[i] = validator_spawn(run_loop, &loop);
    }
    for (unsigned i = 0; i < SOURCES; i++) { /* while the loops wait in the set already */
        REQUIRE_EQUAL(socketpair(AF_UNIX, SOCK_STREAM, 0, pairs[i]), 0);
        watch(&loop, EPOLL_CTL_ADD, pairs[i][0], EPOLLIN | flags);
        senders[i] = validator_spawn(send_events, &pairs[i][1]);
    }
    for (unsigned i = 0; i < SOURCES; i++) {
        validator_join(senders[i]);
    }
    while (__atomic_load_n(&loop.handled, __ATOMIC_SEQ_CST) < SOURCES * EVENTS) {
        validator_sleep_ms(1);
    }
    REQUIRE_EQUAL(write(loop.stop_fd, &one, sizeof one), sizeof one);
    for (unsigned i = 0; i < threads_count; i++) {
        validator_join(loops[i]);
    }
    for (unsigned i = 0; i < SOURCES; i++) {
        close(pairs[i][0]);
        close(pairs[i][1]);
    }
    REQUIRE_EQUAL(loop.handled, SOURCES * EVENTS);
    REQUIRE_EQUAL(close(loop.epoll_fd), 0);
    REQUIRE_EQUAL(close(loop.stop_fd), 0);
}

int main(void)
{
    check_loop(0, 1);
    check_loop(0, LOOPS);
    check_loop(EPOLLET, 1);
    check_loop(EPOLLONESHOT, LOOPS);
    return validator_finish();
}
