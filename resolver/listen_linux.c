#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "listen.h"

struct address_list {
    struct address *items;
    size_t count;
};

static bool is_wanted(const struct listen_choice *choice, bool is_ipv6)
{
    return is_ipv6 ? !choice->ipv4_only : !choice->ipv6_only;
}

static int append(struct address_list *list, const struct address *address, struct diag *diag)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].length == address->length &&
            memcmp(&list->items[i].sockaddr, &address->sockaddr, address->length) == 0) {
            return 0;
        }
    }
    struct address *items = reallocarray(list->items, list->count + 1, sizeof(items[0]));
    if (items == NULL) {
        return diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
    }
    items[list->count++] = *address;
    list->items = items;
    return 0;
}

static struct address make_ipv4(struct in_addr host, uint16_t port)
{
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = host};
    struct address address = {.length = sizeof(in)};
    memcpy(&address.sockaddr, &in, sizeof(in));
    return address;
}

static struct address make_ipv6(const struct in6_addr *host, uint32_t scope_id, uint16_t port)
{
    struct sockaddr_in6 in6 = {.sin6_family = AF_INET6,
                               .sin6_port = htons(port),
                               .sin6_addr = *host,
                               .sin6_scope_id = scope_id};
    struct address address = {.length = sizeof(in6)};
    memcpy(&address.sockaddr, &in6, sizeof(in6));
    return address;
}

/* What named does for `any`: a socket for each address, so that replies leave from the right one.
 */
static int append_interfaces(struct address_list *list, bool is_ipv6, uint16_t port,
                             struct diag *diag)
{
    struct ifaddrs *interfaces;
    if (getifaddrs(&interfaces) != 0) {
        return diag_fail_errno(diag, NULL, "cannot list this host's addresses");
    }
    int status = 0;
    for (struct ifaddrs *at = interfaces; at != NULL && status == 0; at = at->ifa_next) {
        int family = at->ifa_addr == NULL ? AF_UNSPEC : at->ifa_addr->sa_family;
        struct address address;
        if (family == AF_INET && !is_ipv6) {
            struct sockaddr_in in;
            memcpy(&in, at->ifa_addr, sizeof(in));
            address = make_ipv4(in.sin_addr, port);
        } else if (family == AF_INET6 && is_ipv6) {
            struct sockaddr_in6 in6;
            memcpy(&in6, at->ifa_addr, sizeof(in6));
            address = make_ipv6(&in6.sin6_addr, in6.sin6_scope_id, port);
        } else {
            continue;
        }
        status = append(list, &address, diag);
    }
    freeifaddrs(interfaces);
    return status;
}

static int append_listen(struct address_list *list, const char *path,
                         const struct config_listen *listen, uint16_t port, struct diag *diag)
{
    struct in_addr ipv4;
    struct in6_addr ipv6;
    struct address address;
    if (strcmp(listen->address, "none") == 0) {
        return 0;
    }
    if (strcmp(listen->address, "any") == 0) {
        return append_interfaces(list, listen->is_ipv6, port, diag);
    }
    if (!listen->is_ipv6 && inet_pton(AF_INET, listen->address, &ipv4) == 1) {
        address = make_ipv4(ipv4, port);
    } else if (listen->is_ipv6 && inet_pton(AF_INET6, listen->address, &ipv6) == 1) {
        address = make_ipv6(&ipv6, 0, port);
    } else {
        return diag_fail(
            diag, ERR_SYNTAX, path, listen->line,
            "'%s' is not an %s address; listen-on takes numeric addresses, any or none",
            listen->address, listen->is_ipv6 ? "IPv6" : "IPv4");
    }
    return append(list, &address, diag);
}

static int append_default(struct address_list *list, const struct listen_choice *choice,
                          struct diag *diag)
{
    struct address address =
        choice->ipv6_only ? make_ipv6(&in6addr_loopback, 0, choice->port)
                          : make_ipv4((struct in_addr){htonl(INADDR_LOOPBACK)}, choice->port);
    return append(list, &address, diag);
}

int listen_resolve(const struct config *config, const struct listen_choice *choice,
                   struct address **addresses, size_t *count, struct diag *diag)
{
    struct address_list list = {0};
    int status = 0;
    if (config->listen_count == 0) {
        status = append_default(&list, choice, diag);
    }
    for (size_t i = 0; i < config->listen_count && status == 0; i++) {
        const struct config_listen *listen = &config->listens[i];
        if (is_wanted(choice, listen->is_ipv6)) {
            status = append_listen(&list, config->path, listen,
                                   listen->port == 0 ? choice->port : listen->port, diag);
        }
    }
    if (status == 0 && list.count == 0) {
        status = diag_fail(diag, ERR_NOT_FOUND, config->path, 0,
                           "no address to listen on; listen-on and -4 or -6 leave none");
    }
    if (status != 0) {
        free(list.items);
        return status;
    }
    *addresses = list.items;
    *count = list.count;
    return 0;
}
