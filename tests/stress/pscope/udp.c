/* Datagrams: threads blocked in recvfrom, recvmsg, recvmmsg; time-outs; non-blocking sockets. */
#include "validator.h"

#include "inet.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CLIENTS = 8, SERVERS = 4, ROUNDS = 60, WAIT_MS = 20 };

static int server_fd;
static struct sockaddr_in server_address;

static ssize_t receive_from(int fd, char *byte, struct sockaddr_in *from)
{
    socklen_t length = sizeof *from;
    return recvfrom(fd, byte, 1, 0, (struct sockaddr *)from, &length);
}

static ssize_t receive_message(int fd, char *byte, struct sockaddr_in *from)
{
    struct iovec vector = {.iov_base = byte, .iov_len = 1};
    struct msghdr message = {
        .msg_name = from, .msg_namelen = sizeof *from, .msg_iov = &vector, .msg_iovlen = 1};
    return recvmsg(fd, &message, 0);
}

static ssize_t receive_batch(int fd, char *byte, struct sockaddr_in *from)
{
    struct iovec vector = {.iov_base = byte, .iov_len = 1};
    struct mmsghdr batch = {
        .msg_hdr = {
            .msg_name = from, .msg_namelen = sizeof *from, .msg_iov = &vector, .msg_iovlen = 1}};
    int received = recvmmsg(fd, &batch, 1, MSG_WAITFORONE, NULL);
    return received < 0 ? received : (ssize_t)batch.msg_len;
}

static ssize_t (*const receivers[])(int, char *, struct sockaddr_in *) = {
    receive_from, receive_message, receive_batch};

/* Several threads wait on the one socket. A zero byte ends one of them. */
static void *serve(void *argument)
{
    ssize_t (*receive)(int, char *, struct sockaddr_in *) = receivers[(uintptr_t)argument % 3];
    for (;;) {
        char byte = 0;
        struct sockaddr_in from;
        REQUIRE_EQUAL(receive(server_fd, &byte, &from), 1);
        if (byte == 0) {
            return NULL;
        }
        REQUIRE_EQUAL(sendto(server_fd, &byte, 1, 0, (struct sockaddr *)&from, sizeof from), 1);
    }
}

static void *ask(void *argument)
{
    struct sockaddr_in address;
    int fd = inet_bound(SOCK_DGRAM, &address);
    char question = (char)(uintptr_t)argument;
    REQUIRE_EQUAL(connect(fd, (struct sockaddr *)&server_address, sizeof server_address), 0);
    for (unsigned round = 0; round < ROUNDS; round++) {
        char answer = 0;
        REQUIRE_EQUAL(send(fd, &question, 1, 0), 1);
        REQUIRE_EQUAL(recv(fd, &answer, 1, 0), 1);
        REQUIRE_EQUAL(answer, question);
    }
    REQUIRE_EQUAL(close(fd), 0);
    return NULL;
}

static void check_echo(void)
{
    pthread_t servers[SERVERS], clients[CLIENTS];
    char stop = 0;
    server_fd = inet_bound(SOCK_DGRAM, &server_address);
    for (uintptr_t i = 0; i < SERVERS; i++) {
        servers[i] = validator_spawn(serve, (void *)i);
    }
    for (uintptr_t i = 0; i < CLIENTS; i++) {
        clients[i] = validator_spawn(ask, (void *)(i + 1));
    }
    for (unsigned i = 0; i < CLIENTS; i++) {
        validator_join(clients[i]);
    }
    for (unsigned i = 0; i < SERVERS; i++) {
        REQUIRE_EQUAL(sendto(server_fd, &stop, 1, 0, (struct sockaddr *)&server_address,
                             sizeof server_address),
                      1);
    }
    for (unsigned i = 0; i < SERVERS; i++) {
        validator_join(servers[i]);
    }
    REQUIRE_EQUAL(close(server_fd), 0);
}

/* SO_RCVTIMEO makes a blocking receive fail with EAGAIN after that time. */
static void *time_out(void *argument)
{
    struct sockaddr_in address;
    struct timeval limit = {.tv_usec = WAIT_MS * 1000};
    char byte;
    int fd = inet_bound(SOCK_DGRAM, &address);
    REQUIRE_EQUAL(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit), 0);
    for (unsigned i = 0; i < 3; i++) {
        int64_t start_ns = validator_now_ns(CLOCK_MONOTONIC);
        REQUIRE_ERRNO(receivers[i](fd, &byte, &address), EAGAIN);
        int64_t waited_ns = validator_now_ns(CLOCK_MONOTONIC) - start_ns;
        REQUIRE(waited_ns >= (WAIT_MS - 5) * 1000000); /* the kernel counts in ticks */
    }
    REQUIRE_EQUAL(close(fd), 0);
    return argument;
}

static void *check_nonblocking(void *argument)
{
    struct sockaddr_in address;
    char byte;
    int fd = inet_bound(SOCK_DGRAM | SOCK_NONBLOCK, &address);
    int blocking = inet_bound(SOCK_DGRAM, &address);
    for (unsigned i = 0; i < 3; i++) {
        REQUIRE_ERRNO(receivers[i](fd, &byte, &address), EAGAIN);
    }
    REQUIRE_ERRNO(read(fd, &byte, 1), EAGAIN);
    REQUIRE_ERRNO(recv(blocking, &byte, 1, MSG_DONTWAIT), EAGAIN);
    REQUIRE_ERRNO(recv(-1, &byte, 1, 0), EBADF);
    REQUIRE_ERRNO(recv(STDIN_FILENO, &byte, 1, 0), ENOTSOCK);
    REQUIRE_EQUAL(close(fd), 0);
    REQUIRE_EQUAL(close(blocking), 0);
    return argument;
}

int main(void)
{
    int fds[2];
    pthread_t waiters[CLIENTS];
    REQUIRE_EQUAL(pipe(fds), 0);
    REQUIRE_EQUAL(dup2(fds[0], STDIN_FILENO), STDIN_FILENO); /* surely no socket */
    check_echo();
    for (unsigned i = 0; i < CLIENTS; i++) {
        waiters[i] = validator_spawn(time_out, NULL);
    }
    for (unsigned i = 0; i < CLIENTS; i++) {
        validator_join(waiters[i]);
    }
    validator_join(validator_spawn(check_nonblocking, NULL));
    return validator_finish();
}
