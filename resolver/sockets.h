/* The sockets that a server listens on: one for each address. */
#ifndef RESOLVER_SOCKETS_H
#define RESOLVER_SOCKETS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

#include "core/attributes.h"
#include "core/diag.h"

#define ADDRESS_TEXT_SIZE 80

struct address {
    struct sockaddr_storage sockaddr;
    socklen_t length;
};

/* "127.0.0.1#53", as named writes addresses. */
void address_format(const struct address *address, char text[ADDRESS_TEXT_SIZE]);

struct socket_set {
    size_t count;
    int *fds; /* -1 where none is open */
};

/* ERR_SYSTEM when an address is in use by anyone, or may not or cannot be bound here. Needed
 * because sockets with SO_REUSEPORT would join another server's silently. */
int sockets_check_free(const struct address *addresses, size_t count, struct diag *diag) MUST_CHECK;

/*
 * Opens a UDP socket for each address. `reuse_port` lets several sets bind the same addresses, and
 * the kernel spreads the datagrams over them. 0, ERR_MEMORY or ERR_SYSTEM with a diag; the set can
 * be closed in any case.
 */
int socket_set_open(struct socket_set *set, const struct address *addresses, size_t count,
                    bool reuse_port, struct diag *diag) MUST_CHECK;

void socket_set_close(struct socket_set *set);

/*
 * Wakes a thread that waits in receiving on `fd`: the socket is connected to itself, so that it
 * takes no more from elsewhere, and sent an empty datagram. Any thread.
 */
void socket_wake(int fd);

/*
 * Wakes the thread, which receives on `fd` and has been told to end, until it has ended, and joins
 * it. Once is not always enough: a datagram may be dropped, be taken by another thread of the same
 * socket, or reach another socket of the same port, all of which are connected to it by now. From
 * another thread.
 */
void socket_wake_and_join(int fd, pthread_t thread);

#endif
