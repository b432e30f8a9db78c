#include "dns/response_check.h"

#include <stdbool.h>
#include <string.h>

#include "dns/protocol.h"
#include "dns/wire.h"

#define FLAGS_AT   2
#define QDCOUNT_AT 4

static uint8_t lower(uint8_t octet)
{
    return octet >= 'A' && octet <= 'Z' ? octet | 0x20 : octet;
}

/* Octets of the name at the start of `octets`, root label included; 0 if it does not end there. */
static size_t name_length(const uint8_t *octets, size_t size)
{
    size_t at = 0;
    while (at < size && octets[at] != 0) {
        at += (size_t)octets[at] + 1;
    }
    return at < size ? at + 1 : 0;
}

/*
 * Whether two questions of `size` octets are equal. Length octets are at most 63 and so below 'A':
 * folding the case of the whole name touches none of them.
 */
static bool questions_equal(const uint8_t *a, const uint8_t *b, size_t size)
{
    if (memcmp(a, b, size) == 0) {
        return true;
    }
    size_t name_size = size - 4;
    for (size_t i = 0; i < name_size; i++) {
        if (lower(a[i]) != lower(b[i])) {
            return false;
        }
    }
    return memcmp(a + name_size, b + name_size, 4) == 0;
}

/* The question section, where the response has one and its header agrees with the query's. */
static enum response_verdict check_question(const uint8_t *query, size_t query_size,
                                            const uint8_t *response, size_t size)
{
    const uint8_t *expected = query + DNS_HEADER_BYTES;
    const uint8_t *found = response + DNS_HEADER_BYTES;
    size_t question_size = name_length(expected, query_size - DNS_HEADER_BYTES) + 4;
    size_t room = size - DNS_HEADER_BYTES;
    if (room >= question_size && questions_equal(expected, found, question_size)) {
        return RESPONSE_ACCEPTED;
    }
    size_t found_name_size = name_length(found, room);
    return found_name_size == 0 || room - found_name_size < 4 ? RESPONSE_MALFORMED
                                                              : RESPONSE_MISMATCHED;
}

enum response_verdict response_check(const uint8_t *query, size_t query_size,
                                     const uint8_t *response, size_t size)
{
    if (size < DNS_HEADER_BYTES) {
        return RESPONSE_MALFORMED;
    }
    unsigned flags = wire_get_u16(response + FLAGS_AT);
    if (!(flags & DNS_FLAG_QR)) {
        return RESPONSE_MALFORMED;
    }
    if ((flags ^ wire_get_u16(query + FLAGS_AT)) & DNS_OPCODE_MASK) {
        return RESPONSE_MISMATCHED;
    }
    unsigned questions = wire_get_u16(response + QDCOUNT_AT);
    if (questions == 0 && (flags & DNS_RCODE_MASK) != DNS_RCODE_NOERROR) {
        return RESPONSE_ACCEPTED;
    }
    if (questions != 1) {
        return RESPONSE_MISMATCHED;
    }
    return check_question(query, query_size, response, size);
}
