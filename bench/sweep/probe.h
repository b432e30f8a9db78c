/*
 * The question that tells whether the right server answers: the SOA record of its own zone.
 * Pure, any thread.
 */
#ifndef SWEEP_PROBE_H
#define SWEEP_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "dns/protocol.h"

struct probe {
    uint8_t query[DNS_UDP_MAX_BYTES];
    size_t size;
};

/* Makes the query "ORIGIN SOA" with that message ID, RD=0. 0, or ERR_SYNTAX when `origin` is not a
 * domain name. */
int probe_make(const char *origin, uint16_t id, struct probe *probe, struct diag *diag) MUST_CHECK;

/* What a datagram says about the server that sent it. */
enum probe_verdict {
    PROBE_RIGHT,   /* authoritative, no error, with an answer to our question */
    PROBE_LOADING, /* SERVFAIL: the zone is known, but not there yet, or broken */
    PROBE_FOREIGN, /* an answer to our question from a server that has another zone or none */
    PROBE_NOISE,   /* no answer to our question */
};
enum probe_verdict probe_judge(const struct probe *probe, const void *reply, size_t size);

#endif
