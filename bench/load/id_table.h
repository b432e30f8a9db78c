/*
 * The message IDs of one socket and the queries they stand for. IDs are given out first in, first
 * out: one comes again only after all others, so that what arrives for an old query is not taken
 * for the answer to a new one. The ID of a lost query rests for as long as a query's timeout.
 * Pure (time is an argument); not thread-safe: a table belongs to one thread.
 */
#ifndef LOAD_ID_TABLE_H
#define LOAD_ID_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/attributes.h"

#define ID_TABLE_MAX_SLOTS 65536u

enum id_state {
    ID_UNUSED,
    ID_IN_FLIGHT,
    ID_DONE, /* answered */
    ID_LOST, /* not answered in time, so far */
};

/* A query under its ID, which is the sequence number modulo 65536. */
struct id_slot {
    uint64_t sent_ns;
    uint32_t sequence;
    uint32_t query : 30; /* the owner's number of it */
    uint32_t state : 2;  /* enum id_state */
};

#define ID_TABLE_MAX_QUERY ((UINT32_C(1) << 30) - 1)

struct id_table {
    struct id_slot *slots; /* place: sequence modulo their number */
    uint32_t mask;         /* their number - 1; it is a power of two */
    uint32_t head;         /* sequence number that is tried next */
    uint32_t tail;         /* nothing before it is in flight */
    uint32_t in_flight;
    uint64_t timeout_ns;
};

/* `slot_count` is a power of two up to 65536. 0 or ERR_MEMORY; free with id_table_free(). */
int id_table_init(struct id_table *table, uint32_t slot_count,
                  uint64_t timeout_ns) MUST_CHECK NONNULL_ALL;
void id_table_free(struct id_table *table) NONNULL_ALL;

/*
 * Puts a query in flight under the next ID that is neither in flight nor at rest. NULL when there
 * is none. The slot's ID is id_slot_id().
 */
struct id_slot *id_table_take(struct id_table *table, uint32_t query, uint64_t now_ns) NONNULL_ALL;

/* Undoes the takes from `slot` on, newest first or all at once by the oldest of them: the queries
 * were not sent. */
void id_table_untake(struct id_table *table, struct id_slot *slot) NONNULL_ALL;

/* The slot of the query that last had this ID; NULL when none had, or when it is forgotten. */
struct id_slot *id_table_find(const struct id_table *table, uint16_t id) NONNULL_ALL;

/* The query that has been in flight for the longest time; NULL when none is. */
struct id_slot *id_table_oldest(struct id_table *table) NONNULL_ALL;

/* Ends a query that is in flight: `state` is ID_DONE or ID_LOST. */
void id_table_end(struct id_table *table, struct id_slot *slot, enum id_state state) NONNULL_ALL;

static inline uint16_t id_slot_id(const struct id_slot *slot)
{
    return (uint16_t)slot->sequence;
}

#endif
