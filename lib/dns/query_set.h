/*
 * The queries of a run as ready-made messages in one arena: built once, then only read, so that
 * any number of threads share them. A sender copies an image and stamps its own ID.
 */
#ifndef DNS_QUERY_SET_H
#define DNS_QUERY_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attributes.h"
#include "core/file.h"

/* What all queries of a set have in common. */
struct query_form {
    bool recursion_desired;
    bool edns;                  /* an OPT record at the end (RFC 6891 6.1) */
    bool dnssec_ok;             /* its DO bit (RFC 3225) */
    uint16_t udp_payload_bytes; /* requestor's UDP payload size in the OPT record */
    const uint8_t *options;     /* EDNS options in wire format; the caller keeps them */
    uint16_t options_size_bytes;
};

/* A message in the arena, with ID 0. */
struct query {
    uint32_t offset;
    uint16_t size_bytes;
};

/* Where a query stands in the text it came from. */
struct query_line {
    const char *text; /* not terminated */
    size_t length;
};

struct query_set {
    struct query_form form;
    uint8_t *arena;
    size_t arena_size, arena_capacity; /* octets */
    struct query *queries;
    size_t count, capacity;
    struct query_line *lines; /* one per query, or NULL where nobody asked for them */
    size_t lines_capacity;
    struct bytes text; /* what `lines` points into */
};

/* An empty set; free with query_set_free(). */
void query_set_init(struct query_set *set, const struct query_form *form) NONNULL_ALL;
void query_set_free(struct query_set *set) NONNULL_ALL;

/*
 * Appends the query for the wire-format name of `name_size` octets. 0, ERR_MEMORY, or ERR_RANGE
 * when the arena would pass 4 GiB or the message 65535 octets.
 */
int query_set_add(struct query_set *set, const uint8_t *name, size_t name_size, uint16_t type,
                  uint16_t class) MUST_CHECK NONNULL_ALL;

/* Remembers the text of the query added last; all queries of a set or none. 0 or ERR_MEMORY. */
int query_set_add_line(struct query_set *set, const char *text,
                       size_t length) MUST_CHECK NONNULL_ALL;

static inline const uint8_t *query_set_wire(const struct query_set *set, const struct query *query)
{
    return set->arena + query->offset;
}

#endif
