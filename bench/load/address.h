/* Where queries go to and come from: names and ports turned into socket addresses. */
#ifndef LOAD_ADDRESS_H
#define LOAD_ADDRESS_H

#include <netinet/in.h>
#include <stdint.h>
#include <sys/socket.h>

#include "core/attributes.h"
#include "core/diag.h"

struct address {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } socket;
    socklen_t size;
};

/* Bytes for the numeric text of an address, scope of a link-local one included. */
#define ADDRESS_TEXT_SIZE 64

/*
 * Resolves an address or host name with getaddrinfo(3) and takes the first result of `family`
 * (AF_UNSPEC: any). 0 or ERR_NOT_FOUND. May block for the resolver's time.
 */
int address_resolve(const char *host, uint16_t port, int family, struct address *address,
                    struct diag *diag) MUST_CHECK NONNULL_ALL;

void address_set_port(struct address *address, uint16_t port) NONNULL_ALL;

/* The numeric address without the port. */
void address_format(const struct address *address, char text[ADDRESS_TEXT_SIZE]) NONNULL_ALL;

#endif
