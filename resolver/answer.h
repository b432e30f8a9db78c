/*
 * What the server knows, as a function: a query's octets and the zones in, the response's octets
 * out (RFC 1034 4.3.2 without recursion). Every threading model calls this and nothing else.
 */
#ifndef RESOLVER_ANSWER_H
#define RESOLVER_ANSWER_H

#include <stddef.h>
#include <stdint.h>

#include "core/attributes.h"
#include "dns/zone_set.h"

/* Room that any response needs at most. */
#define ANSWER_MAX_BYTES 1232

/*
 * Writes the response to `query` into `out` and returns its octets; 0 for silence. Pure over its
 * arguments; any thread; no allocation, no system call, nothing that may switch threads.
 */
size_t answer(const struct zone_set *zones, const uint8_t *query, size_t query_bytes,
              uint8_t out[ANSWER_MAX_BYTES]) NONNULL_ALL MUST_CHECK;

#endif
