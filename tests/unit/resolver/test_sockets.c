/* Ending threads that wait in receiving: no wake-up may be the last chance. */
#include "../unit.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>

#include "core/attributes.h"
#include "sockets.h"

struct receiver {
    pthread_t thread;
    int fd;
    unsigned deaf_to; /* so many wake-ups are lost on the way */
    atomic_bool *stopping;
};

static void *receive(void *argument)
{
    struct receiver *receiver = argument;
    char octet;
    while (!atomic_load(receiver->stopping) || receiver->deaf_to > 0) {
        if (recv(receiver->fd, &octet, 1, 0) == 0 && receiver->deaf_to > 0) {
            receiver->deaf_to--;
        }
    }
    return NULL;
}

static struct address loopback(void)
{
    struct address address = {.length = sizeof(struct sockaddr_in)};
    struct sockaddr_in in = {.sin_family = AF_INET};
    in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    memcpy(&address.sockaddr, &in, sizeof(in));
    return address;
}

static void a_lost_wake_up_is_sent_again(void **state)
{
    (void)state;
    for (unsigned lost = 0; lost < 4; lost++) {
        struct socket_set set;
        struct diag diag = {0};
        const struct address address = loopback();
        atomic_bool stopping = false;
        assert_int_equal(socket_set_open(&set, &address, 1, false, &diag), 0);
        struct receiver receiver = {.fd = set.fds[0], .deaf_to = lost, .stopping = &stopping};
        assert_int_equal(pthread_create(&receiver.thread, NULL, receive, &receiver), 0);
        atomic_store(&stopping, true);
        socket_wake_and_join(receiver.fd, receiver.thread);
        assert_int_equal(receiver.deaf_to, 0);
        socket_set_close(&set);
    }
}

/* Which of them takes a datagram is the kernel's choice. */
static void all_threads_of_one_socket_end(void **state)
{
    (void)state;
    struct socket_set set;
    struct diag diag = {0};
    const struct address address = loopback();
    atomic_bool stopping = false;
    struct receiver receivers[8];
    assert_int_equal(socket_set_open(&set, &address, 1, false, &diag), 0);
    for (size_t i = 0; i < ARRAY_LENGTH(receivers); i++) {
        receivers[i] = (struct receiver){.fd = set.fds[0], .stopping = &stopping};
        assert_int_equal(pthread_create(&receivers[i].thread, NULL, receive, &receivers[i]), 0);
    }
    atomic_store(&stopping, true);
    for (size_t i = 0; i < ARRAY_LENGTH(receivers); i++) {
        socket_wake_and_join(receivers[i].fd, receivers[i].thread);
    }
    socket_set_close(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lost_wake_up_is_sent_again),
        cmocka_unit_test(all_threads_of_one_socket_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
