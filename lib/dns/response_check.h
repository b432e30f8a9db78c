/*
 * Whether a datagram is the answer to a query: pure, a function of the two messages. The ID is the
 * caller's matter, since it is by the ID that the query was found.
 */
#ifndef DNS_RESPONSE_CHECK_H
#define DNS_RESPONSE_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "core/attributes.h"

enum response_verdict {
    RESPONSE_ACCEPTED,
    /* Not a response at all: shorter than a header, QR clear, or a question that ends too early. */
    RESPONSE_MALFORMED,
    /* A response to something else: opcode, number of questions, name, type or class differ. */
    RESPONSE_MISMATCHED,
};

/*
 * Judges the `size` octets at `response` as the response to the query message at `query`
 * (one question, `query_size` octets). Names are compared without regard to ASCII case (RFC 4343;
 * a server may, but need not, echo the case). A response without a question is accepted only with
 * an RCODE other than NOERROR, as servers send it where they could not read the query.
 */
enum response_verdict response_check(const uint8_t *query, size_t query_size,
                                     const uint8_t *response, size_t size) NONNULL_ALL;

#endif
