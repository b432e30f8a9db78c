/*
 * Writes a response: header, question, RRsets with compressed names (RFC 1035 4.1.4), OPT. An
 * RRset is in the message whole or not at all. Pure; any thread; no allocation.
 */
#ifndef RESOLVER_RESPONSE_H
#define RESOLVER_RESPONSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attributes.h"
#include "dns/wire.h"
#include "dns/zone.h"
#include "query.h"

/* What a server says it can take by UDP, and sends at most: no fragments on an Ethernet. */
#define RESPONSE_EDNS_BYTES 1232

/* Suffixes remembered for compression; later names of a message with more are just longer. */
#define RESPONSE_SUFFIXES_MAX 128

enum response_section { SECTION_ANSWER, SECTION_AUTHORITY, SECTION_ADDITIONAL, SECTION_COUNT };

struct response {
    struct wire_writer out; /* its room is the limit of this message, OPT not counted */
    const struct query *query;
    uint16_t flags; /* AA, TC; the rest comes from the query */
    uint16_t rcode; /* enum dns_rcode, extended ones too */
    uint16_t counts[SECTION_COUNT];
    bool knows_question; /* the question's suffixes are in the table */
    unsigned suffix_count;
    struct response_suffix {
        uint32_t hash;
        uint16_t offset;
    } suffixes[RESPONSE_SUFFIXES_MAX];
};

/* Where the question's name is in every message with a question. */
#define RESPONSE_QUESTION_OFFSET DNS_HEADER_BYTES

/*
 * Begins the response to `query` in `out`, which has `room` octets, at least
 * DNS_HEADER_BYTES + DNS_NAME_MAX_BYTES + 4 and an OPT's 11. All stay the caller's and live on
 * until response_finish().
 */
void response_begin(struct response *response, const struct query *query, uint8_t *out,
                    size_t room) NONNULL_ALL;

/* The offset in the message of a name's suffix that has `skip` labels less than the name. */
size_t response_suffix_offset(const struct response *response, size_t name_offset,
                              unsigned skip) PURE_FUNCTION;

/*
 * Adds an RRset whose owner name stands at `owner_offset`; `name_offsets`, if not NULL, gets the
 * offsets of the first `name_room` names in its RDATA. False when it does not fit: the message is
 * as it was.
 */
bool response_add_rrset(struct response *response, enum response_section section,
                        size_t owner_offset, const struct zone_rrset *rrset, uint16_t *name_offsets,
                        unsigned name_room) MUST_CHECK;

/* Adds one RR of class IN whose RDATA is a domain name; `name_offset` as above. */
bool response_add_name_rr(struct response *response, enum response_section section,
                          size_t owner_offset, uint16_t type, uint32_t ttl_s,
                          const struct zone_rdata_name *name, uint16_t *name_offset) MUST_CHECK;

/* Lets later names be compressed against `name`, which the message now ends in, uncompressed. */
void response_remember(struct response *response, const uint8_t *name) NONNULL_ALL;

/* Adds a zone's SOA with another TTL than its own. */
bool response_add_soa(struct response *response, size_t owner_offset, const struct zone_rrset *soa,
                      uint32_t ttl_s) MUST_CHECK;

/* Writes the OPT, if the query had one, and the header; the octets of the message. */
size_t response_finish(struct response *response) NONNULL_ALL;

#endif
