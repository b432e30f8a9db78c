#include "dns/zone.h"

#include "core/arena.h"

void zone_free(struct zone *zone)
{
    if (zone != NULL) {
        arena_free(zone->arena); /* the zone itself lives in it */
    }
}
