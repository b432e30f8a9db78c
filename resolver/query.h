/*
 * A DNS message from the wire, as far as a server needs it: header, question and EDNS. Pure; any
 * thread; no allocation.
 */
#ifndef RESOLVER_QUERY_H
#define RESOLVER_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attributes.h"
#include "dns/name.h"

struct query {
    uint16_t id;
    uint16_t flags; /* the header's second field */
    unsigned opcode;
    bool has_question; /* one, as a question to answer has; the next five are of use only then */
    uint16_t type;
    uint16_t class;
    uint8_t name_bytes;
    uint8_t name[DNS_NAME_MAX_BYTES]; /* uncompressed, case as it came */
    struct name_index index;
    bool has_edns; /* RFC 6891; the rest is of use only then */
    bool dnssec_ok;
    bool options_are_valid;
    uint8_t edns_version;
    uint16_t udp_bytes; /* what the client can take, as it says */
};

enum query_status {
    QUERY_VALID,
    QUERY_MALFORMED, /* it cannot be read as a whole; what the query has is what could be read */
    QUERY_IGNORED,   /* to be answered with silence: no header, or itself a response */
};

/* Reads one datagram. `query` is written only as far as the comments above promise. */
enum query_status query_parse(struct query *query, const uint8_t *octets,
                              size_t size) NONNULL_ALL MUST_CHECK;

#endif
