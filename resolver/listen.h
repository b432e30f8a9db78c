/* Where to listen: a configuration's listen-on statements as socket addresses. */
#ifndef RESOLVER_LISTEN_H
#define RESOLVER_LISTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "config.h"
#include "core/attributes.h"
#include "core/diag.h"
#include "sockets.h"

struct listen_choice {
    uint16_t port; /* where listen-on names none */
    bool ipv4_only;
    bool ipv6_only;
};

/*
 * The addresses in order, each once; `any` becomes the addresses that the host has now. Without a
 * listen-on it is the loopback address. 0 and the caller frees `*addresses`; ERR_SYNTAX for what is
 * no address, ERR_NOT_FOUND when nothing is left, ERR_SYSTEM, ERR_MEMORY, each with a diag.
 */
int listen_resolve(const struct config *config, const struct listen_choice *choice,
                   struct address **addresses, size_t *count, struct diag *diag) MUST_CHECK;

#endif
