/*
 * shutdown(2) ends what waits on a socket, in every thread and in those that come later: a way to
 * stop receivers and acceptors that many programs use, also of sockets without a connection.
 */
#include "validator.h"

#include "inet.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WAITERS = 3, WAIT_MS = 20 };

static long by_recv(int fd)
{
    char byte;
    return recv(fd, &byte, 1, 0);
}

static long by_recvmsg(int fd)
{
    char byte;
    struct iovec vector = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
    return recvmsg(fd, &message, 0);
}

static long by_recvmmsg(int fd)
{
    char byte;
    struct iovec vector = {.iov_base = &byte, .iov_len = 1};
    struct mmsghdr batch = {.msg_hdr = {.msg_iov = &vector, .msg_iovlen = 1}};
    REQUIRE_EQUAL(recvmmsg(fd, &batch, 1, MSG_WAITFORONE, NULL), 1);
    return batch.msg_len;
}

static long by_read(int fd)
{
    char byte;
    return read(fd, &byte, 1);
}

static long by_readv(int fd)
{
    char byte;
    struct iovec vector = {.iov_base = &byte, .iov_len = 1};
    return readv(fd, &vector, 1);
}

static long by_accept(int fd)
{
    REQUIRE_ERRNO(accept(fd, NULL, NULL), EINVAL);
    return 0;
}

struct wait {
    int fd;
    long (*receive)(int fd);
};

static void *wait_for_end(void *argument)
{
    const struct wait *wait = argument;
    REQUIRE_EQUAL(wait->receive(wait->fd), 0);
    return NULL;
}

static int unconnected(void)
{
    struct sockaddr_in address;
    return inet_bound(SOCK_DGRAM, &address);
}

static int connected(void)
{
    struct sockaddr_in address;
    int fd = inet_bound(SOCK_DGRAM, &address);
    REQUIRE_EQUAL(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

static int local(void)
{
    int fds[2];
    REQUIRE_EQUAL(socketpair(AF_UNIX, SOCK_DGRAM, 0, fds), 0);
    return fds[0]; /* the other end stays open until the process ends */
}

static int listening(void)
{
    struct sockaddr_in address;
    int fd = inet_bound(SOCK_STREAM, &address);
    REQUIRE_EQUAL(listen(fd, 1), 0);
    return fd;
}

static void check(int fd, long (*receive)(int fd))
{
    struct wait wait = {fd, receive};
    pthread_t waiters[WAITERS];
    for (unsigned i = 0; i < WAITERS; i++) {
        waiters[i] = validator_spawn(wait_for_end, &wait);
    }
    validator_sleep_ms(WAIT_MS);
    /* Says ENOTCONN of a socket without a connection, and does it all the same. */
    if (shutdown(fd, SHUT_RD) != 0) {
        REQUIRE_EQUAL(errno, ENOTCONN);
    }
    for (unsigned i = 0; i < WAITERS; i++) {
        validator_join(waiters[i]);
    }
    validator_join(validator_spawn(wait_for_end, &wait));
    REQUIRE_EQUAL(close(fd), 0);
}

int main(void)
{
    static long (*const receivers[])(int fd) = {by_recv, by_recvmsg, by_recvmmsg, by_read,
                                                by_readv};
    for (unsigned i = 0; i < sizeof receivers / sizeof receivers[0]; i++) {
        check(unconnected(), receivers[i]);
        check(connected(), receivers[i]);
        check(local(), receivers[i]);
    }
    check(listening(), by_accept);
    /* The number's next socket has nothing of it. */
    int fd = unconnected();
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    char byte = 'x';
    REQUIRE_EQUAL(getsockname(fd, (struct sockaddr *)&address, &length), 0);
    REQUIRE_EQUAL(sendto(fd, &byte, 1, 0, (struct sockaddr *)&address, length), 1);
    REQUIRE_EQUAL(by_recv(fd), 1);
    return validator_finish();
}
