#include "load/address.h"

#include <netdb.h>
#include <stdio.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"

int address_resolve(const char *host, uint16_t port, int family, struct address *address,
                    struct diag *diag)
{
    static const char *const family_words[] = {"", "IPv4 ", "IPv6 "};
    const char *wanted = family_words[family == AF_INET ? 1 : family == AF_INET6 ? 2 : 0];
    struct addrinfo hints = {.ai_family = family, .ai_socktype = SOCK_DGRAM};
    struct addrinfo *found = NULL;
    int status = getaddrinfo(host, NULL, &hints, &found);
    if (status != 0) {
        return diag_fail(
            diag, ERR_NOT_FOUND, NULL, 0,
            "no %saddress for \"%s\" (%s); an %saddress or the name of a host with one "
            "is right",
            wanted, host, gai_strerror(status), wanted);
    }
    CHECK(found->ai_addrlen <= sizeof(address->socket));
    *address = (struct address){.size = found->ai_addrlen};
    memcpy(&address->socket, found->ai_addr, found->ai_addrlen);
    freeaddrinfo(found);
    address_set_port(address, port);
    return 0;
}

void address_set_port(struct address *address, uint16_t port)
{
    if (address->socket.any.sa_family == AF_INET6) {
        address->socket.v6.sin6_port = htons(port);
    } else {
        address->socket.v4.sin_port = htons(port);
    }
}

void address_format(const struct address *address, char text[ADDRESS_TEXT_SIZE])
{
    int status = getnameinfo(&address->socket.any, address->size, text, ADDRESS_TEXT_SIZE, NULL, 0,
                             NI_NUMERICHOST);
    if (status != 0) {
        snprintf(text, ADDRESS_TEXT_SIZE, "(%s)", gai_strerror(status));
    }
}
