/*
 * Domain names in presentation format (RFC 1035 section 5.1) turned into wire format, as query
 * files write them: always absolute, with or without the last dot. Pure; any thread.
 */
#ifndef DNS_NAME_TEXT_H
#define DNS_NAME_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "core/attributes.h"
#include "dns/protocol.h"

/* What is wrong with a name; the order is that of name_text_problem()'s texts. */
enum name_text_error {
    NAME_TEXT_OK = 0,
    NAME_TEXT_EMPTY,
    NAME_TEXT_EMPTY_LABEL,   /* ".x", "a..b" */
    NAME_TEXT_LABEL_LENGTH,  /* more than 63 octets in a label (RFC 1035 2.3.4) */
    NAME_TEXT_NAME_LENGTH,   /* more than 255 octets on the wire (RFC 1035 2.3.4) */
    NAME_TEXT_ESCAPE_DIGITS, /* "\1", "\12x": \D wants three digits */
    NAME_TEXT_ESCAPE_VALUE,  /* "\256" and above */
    NAME_TEXT_ESCAPE_END,    /* a backslash at the end */
    NAME_TEXT_CONTROL,       /* a control character that is not written as \DDD */
};

/*
 * Writes the wire format of the `length` characters at `text` to `wire` and its octets to `size`.
 * "\DDD" is an octet in decimal, "\X" the character X; bytes from 0x80 on stand for themselves.
 * Returns an enum name_text_error; `wire` and `size` are meaningful only on NAME_TEXT_OK.
 */
enum name_text_error name_text_to_wire(const char *text, size_t length,
                                       uint8_t wire[DNS_NAME_MAX_BYTES],
                                       size_t *size) MUST_CHECK NONNULL_ALL;

/* What is wrong and what would be right, for a message; static storage. */
const char *name_text_problem(enum name_text_error error);

#endif
