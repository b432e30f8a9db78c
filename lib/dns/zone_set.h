/* The zones that a server answers from: immutable once all are added, then any thread may read it.
 */
#ifndef DNS_ZONE_SET_H
#define DNS_ZONE_SET_H

#include <stddef.h>

#include "core/attributes.h"
#include "dns/zone.h"

struct zone_set;

/* An empty set, or NULL when memory is out. */
struct zone_set *zone_set_create(void) MUST_CHECK;

/* Frees the set and its zones; NULL is allowed. */
void zone_set_free(struct zone_set *set);

/* Takes `zone` over, on failure not: ERR_EXISTS when its origin is there already, ERR_MEMORY. */
int zone_set_add(struct zone_set *set, struct zone *zone) MUST_CHECK;

size_t zone_set_count(const struct zone_set *set);

/* The zone with the longest origin that is suffix `first` of the name or an ancestor of it, or
 * NULL. */
const struct zone *zone_set_find(const struct zone_set *set, const struct name_index *name,
                                 unsigned first) PURE_FUNCTION;

#endif
