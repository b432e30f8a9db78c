#include "dns/zone_set.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"

struct zone_slot {
    uint32_t hash;
    struct zone *zone;
};

struct zone_set {
    struct zone_slot *slots; /* at most half full */
    size_t slot_count;
    size_t zone_count;
};

struct zone_set *zone_set_create(void)
{
    struct zone_set *set = calloc(1, sizeof(*set));
    if (set == NULL) {
        return NULL;
    }
    set->slot_count = 4;
    set->slots = calloc(set->slot_count, sizeof(set->slots[0]));
    if (set->slots == NULL) {
        free(set);
        return NULL;
    }
    return set;
}

void zone_set_free(struct zone_set *set)
{
    if (set == NULL) {
        return;
    }
    for (size_t i = 0; i < set->slot_count; i++) {
        zone_free(set->slots[i].zone);
    }
    free(set->slots);
    free(set);
}

/* The slot of the zone whose origin is suffix `suffix` of the name, or the free one for it. */
static struct zone_slot *find_slot(const struct zone_set *set, const struct name_index *name,
                                   unsigned suffix)
{
    size_t at = name->hash[suffix] & (set->slot_count - 1);
    for (;; at = (at + 1) & (set->slot_count - 1)) {
        struct zone_slot *slot = &set->slots[at];
        if (slot->zone == NULL ||
            (slot->hash == name->hash[suffix] &&
             slot->zone->apex->name_bytes == name_index_suffix_length(name, suffix) &&
             memcmp(slot->zone->origin, name_index_suffix(name, suffix),
                    slot->zone->apex->name_bytes) == 0)) {
            return slot;
        }
    }
}

static int grow(struct zone_set *set)
{
    struct zone_set grown = {.slot_count = 2 * set->slot_count, .zone_count = set->zone_count};
    grown.slots = calloc(grown.slot_count, sizeof(grown.slots[0]));
    if (grown.slots == NULL) {
        return ERR_MEMORY;
    }
    for (size_t i = 0; i < set->slot_count; i++) {
        struct zone *zone = set->slots[i].zone;
        if (zone != NULL) {
            struct name_index name;
            name_index_make(&name, zone->origin, zone->apex->name_bytes);
            *find_slot(&grown, &name, 0) = set->slots[i];
        }
    }
    free(set->slots);
    *set = grown;
    return 0;
}

int zone_set_add(struct zone_set *set, struct zone *zone)
{
    struct name_index name;
    if (set->zone_count + 1 > set->slot_count / 2 && grow(set) != 0) {
        return ERR_MEMORY;
    }
    name_index_make(&name, zone->origin, zone->apex->name_bytes);
    struct zone_slot *slot = find_slot(set, &name, 0);
    if (slot->zone != NULL) {
        return ERR_EXISTS;
    }
    *slot = (struct zone_slot){.hash = name.hash[0], .zone = zone};
    set->zone_count++;
    return 0;
}

size_t zone_set_count(const struct zone_set *set)
{
    return set->zone_count;
}

const struct zone *zone_set_find(const struct zone_set *set, const struct name_index *name,
                                 unsigned first)
{
    for (unsigned suffix = first; suffix <= name->label_count; suffix++) {
        const struct zone *zone = find_slot(set, name, suffix)->zone;
        if (zone != NULL) {
            return zone;
        }
    }
    return NULL;
}
