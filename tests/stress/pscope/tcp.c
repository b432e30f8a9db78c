/* TCP: accept, connect, a thread a connection, large sends, shutdown, refused connections. */
#include "validator.h"

#include "inet.h"

#include <errno.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CONNECTIONS = 20, ROUNDS = 30, LARGE = 400000 };

static struct sockaddr_in server_address;

static void *echo(void *argument)
{
    int fd = (int)(intptr_t)argument;
    char bytes[256];
    ssize_t count;
    while ((count = recv(fd, bytes, sizeof bytes, 0)) > 0) {
        REQUIRE_EQUAL(send(fd, bytes, (size_t)count, 0), count);
    }
    REQUIRE_EQUAL(count, 0);
    REQUIRE_EQUAL(close(fd), 0);
    return NULL;
}

static void *accept_all(void *argument)
{
    pthread_t threads[CONNECTIONS];
    int listener = *(const int *)argument;
    for (unsigned i = 0; i < CONNECTIONS; i++) {
        int fd = i % 2 == 0 ? accept(listener, NULL, NULL) : accept4(listener, NULL, NULL, 0);
        REQUIRE(fd >= 0);
        threads[i] = validator_spawn(echo, (void *)(intptr_t)fd);
    }
    for (unsigned i = 0; i < CONNECTIONS; i++) {
        validator_join(threads[i]);
    }
    return NULL;
}

static void *talk(void *argument)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    REQUIRE_EQUAL(connect(fd, (struct sockaddr *)&server_address, sizeof server_address), 0);
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint32_t sent = (uint32_t)(uintptr_t)argument * ROUNDS + round;
        uint32_t received = 0;
        REQUIRE_EQUAL(write(fd, &sent, sizeof sent), sizeof sent);
        REQUIRE_EQUAL(recv(fd, &received, sizeof received, MSG_WAITALL), sizeof received);
        REQUIRE_EQUAL(received, sent);
    }
    REQUIRE_EQUAL(shutdown(fd, SHUT_WR), 0);
    char byte;
    REQUIRE_EQUAL(read(fd, &byte, 1), 0);
    REQUIRE_EQUAL(close(fd), 0);
    return NULL;
}

static void check_echo(void)
{
    pthread_t clients[CONNECTIONS];
    int listener = inet_bound(SOCK_STREAM, &server_address);
    REQUIRE_EQUAL(listen(listener, CONNECTIONS), 0);
    pthread_t server = validator_spawn(accept_all, &listener);
    for (uintptr_t i = 0; i < CONNECTIONS; i++) {
        clients[i] = validator_spawn(talk, (void *)i);
    }
    for (unsigned i = 0; i < CONNECTIONS; i++) {
        validator_join(clients[i]);
    }
    validator_join(server);
    REQUIRE_EQUAL(close(listener), 0);
}

static void *send_large(void *argument)
{
    static char bytes[LARGE];
    int fd = *(const int *)argument;
    struct iovec vector = {.iov_base = bytes, .iov_len = LARGE};
    struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
    REQUIRE_EQUAL(send(fd, bytes, LARGE, 0), LARGE); /* a blocking send sends all */
    REQUIRE_EQUAL(sendmsg(fd, &message, 0), LARGE);
    REQUIRE_EQUAL(close(fd), 0);
    return NULL;
}

static void check_large_send(void)
{
    int ends[2];
    char bytes[3000];
    size_t total = 0;
    ssize_t count;
    inet_connected_pair(ends);
    pthread_t sender = validator_spawn(send_large, &ends[0]);
    validator_sleep_ms(3);
    while ((count = recv(ends[1], bytes, sizeof bytes, MSG_WAITALL)) > 0) {
        total += (size_t)count;
    }
    REQUIRE_EQUAL(total, 2 * LARGE);
    validator_join(sender);
    REQUIRE_EQUAL(close(ends[1]), 0);
}

static void *check_refused(void *argument)
{
    struct sockaddr_in address;
    int closed = inet_bound(SOCK_STREAM, &address); /* bound, not listening */
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    REQUIRE_ERRNO(connect(fd, (struct sockaddr *)&address, sizeof address), ECONNREFUSED);
    REQUIRE_ERRNO(accept(closed, NULL, NULL), EINVAL);
    REQUIRE_EQUAL(close(fd), 0);
    REQUIRE_EQUAL(close(closed), 0);
    fd = inet_bound(SOCK_STREAM | SOCK_NONBLOCK, &address);
    REQUIRE_EQUAL(listen(fd, 1), 0);
    REQUIRE_ERRNO(accept(fd, NULL, NULL), EAGAIN);
    REQUIRE_EQUAL(close(fd), 0);
    return argument;
}

static void *accept_in_vain(void *argument)
{
    int fd = *(const int *)argument;
    REQUIRE(accept(fd, NULL, NULL) < 0);
    return NULL;
}

/* shutdown() of a listening socket ends the accept that waits on it, as servers rely on. */
static void check_shutdown_of_listener(void)
{
    struct sockaddr_in address;
    int listener = inet_bound(SOCK_STREAM, &address);
    REQUIRE_EQUAL(listen(listener, 1), 0);
    pthread_t waiter = validator_spawn(accept_in_vain, &listener);
    validator_sleep_ms(3);
    REQUIRE_EQUAL(shutdown(listener, SHUT_RDWR), 0);
    validator_join(waiter);
    REQUIRE_EQUAL(close(listener), 0);
}

int main(void)
{
    check_echo();
    check_large_send();
    validator_join(validator_spawn(check_refused, NULL));
    check_shutdown_of_listener();
    return validator_finish();
}
