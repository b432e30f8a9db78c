/*
 * Domain names in uncompressed wire format: a `const uint8_t *` to the first length octet of a
 * valid name. Names compare without regard to ASCII case (RFC 4343). Pure; any thread; no
 * allocation.
 */
#ifndef DNS_NAME_H
#define DNS_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attributes.h"
#include "dns/protocol.h"

/* Octets of the uncompressed name at `octets`, root label included; 0 when there is no valid one
 * in `size` octets (RFC 1035 3.1: labels of 63, names of 255 octets at most). */
size_t name_measure(const uint8_t *octets, size_t size) PURE_FUNCTION;

/* Octets of a valid name, root label included. */
size_t name_length(const uint8_t *name) PURE_FUNCTION;

/* Labels of a valid name, the root label not counted. */
unsigned name_label_count(const uint8_t *name) PURE_FUNCTION;

/* The name without its leftmost label; not for the root. */
static inline const uint8_t *name_parent(const uint8_t *name)
{
    return name + 1 + name[0];
}

bool name_equal(const uint8_t *a, const uint8_t *b) PURE_FUNCTION;

/* Whether `name` is `ancestor` or below it. */
bool name_is_within(const uint8_t *name, const uint8_t *ancestor) PURE_FUNCTION;

/* Copies `length` octets of a name with A-Z made a-z. Length octets (at most 63) stay as they are
 * because 'A' is 65. */
void name_to_lower(uint8_t *out, const uint8_t *name, size_t length);

/* Room for the longest name in presentation format, NUL included (every octet as \DDD). */
#define NAME_TEXT_SIZE 1024

/* Writes the presentation format without the final dot, as named logs names; "." for the root. */
void name_format(const uint8_t *name, char text[NAME_TEXT_SIZE]);

/*
 * A name made ready for look-ups: lower case, with the offset and the hash of every suffix.
 * Suffix 0 is the whole name, suffix `label_count` the root.
 */
struct name_index {
    unsigned length;
    unsigned label_count;
    uint8_t lower[DNS_NAME_MAX_BYTES];
    uint8_t offset[DNS_NAME_MAX_LABELS];
    uint32_t hash[DNS_NAME_MAX_LABELS];
};

/* `name` is valid and `length` its name_length(). */
void name_index_make(struct name_index *index, const uint8_t *name, size_t length);

static inline const uint8_t *name_index_suffix(const struct name_index *index, unsigned suffix)
{
    return index->lower + index->offset[suffix];
}

static inline unsigned name_index_suffix_length(const struct name_index *index, unsigned suffix)
{
    return index->length - index->offset[suffix];
}

#endif
