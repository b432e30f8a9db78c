/*
 * A zone as the server looks it up: compiled once (dns/zone_build.h), then immutable, so any
 * number of threads read it without a lock. Every name between the apex and a name with data has a
 * node (empty non-terminals included, RFC 4592 2.2.2), and what an answer needs beyond its name is
 * found at load time: the zone cut above a node, its wildcard child, the glue of a delegation.
 */
#ifndef DNS_ZONE_H
#define DNS_ZONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attributes.h"
#include "dns/name.h"

struct zone_node;

/* A domain name inside the RDATA of a type whose names may be compressed (RFC 3597 4). */
struct zone_rdata_name {
    const uint8_t *wire;          /* as written in the master file, inside the image */
    const uint32_t *suffix_hash;  /* as struct name_index has it: label_count + 1 of them */
    const struct zone_node *node; /* its node in this zone, or NULL */
    unsigned label_count;
};

/* An RR in an image: a pointer to the question's name, TYPE, CLASS, TTL, RDLENGTH, RDATA. */
#define ZONE_IMAGE_OWNER_BYTES 2
#define ZONE_IMAGE_TTL_OFFSET  6
#define ZONE_IMAGE_FIXED_BYTES 12

struct zone_rrset {
    uint16_t type;
    uint16_t rr_count;
    uint8_t name_count;   /* compressible names in each RDATA: 0, 1 or 2 */
    uint8_t prefix_bytes; /* RDATA octets before the names, the same in every RR */
    uint32_t image_bytes;
    const uint8_t *image; /* rr_count RRs in wire format, uncompressed but for the owner */
    const struct zone_rdata_name *names; /* rr_count * name_count of them */
};

struct zone_node {
    const uint8_t *name; /* lower case */
    uint8_t name_bytes;
    uint16_t rrset_count; /* 0: an empty non-terminal */
    uint32_t hash;
    const struct zone_rrset *rrsets;
    const struct zone_node *parent; /* NULL for the apex */
    /* What takes the name out of this zone's authority, whichever stands higher in the tree: */
    const struct zone_node *cut;      /* a delegation at or above, or NULL (RFC 1034 4.2.1) */
    const struct zone_node *dname;    /* a DNAME above, or NULL (RFC 6672 2.4) */
    const struct zone_node *wildcard; /* the child "*", or NULL */
};

struct zone {
    const uint8_t *origin; /* lower case */
    unsigned origin_labels;
    const struct zone_node *apex;
    const struct zone_rrset *soa;
    bool is_signed; /* as far as can be seen at the apex: keys, signatures, NSEC or NSEC3 */
    uint32_t soa_negative_ttl_s; /* the lesser of the SOA's TTL and MINIMUM (RFC 2308 3) */
    size_t node_count;
    size_t rr_count;

    /* How the memory hangs together; for zone_*.c alone. */
    const struct zone_node **slots;
    size_t slot_mask;
    struct arena *arena;
};

/* Frees all of a zone; NULL is allowed. */
void zone_free(struct zone *zone);

/* The node of suffix `suffix` of a name, or NULL. */
static inline const struct zone_node *zone_find(const struct zone *zone,
                                                const struct name_index *name, unsigned suffix)
{
    uint32_t hash = name->hash[suffix];
    unsigned bytes = name_index_suffix_length(name, suffix);
    for (size_t slot = hash & zone->slot_mask;; slot = (slot + 1) & zone->slot_mask) {
        const struct zone_node *node = zone->slots[slot];
        if (node == NULL) {
            return NULL;
        }
        if (node->hash == hash && node->name_bytes == bytes &&
            __builtin_memcmp(node->name, name_index_suffix(name, suffix), bytes) == 0) {
            return node;
        }
    }
}

/*
 * The node nearest above or at the name: its own (then `*suffix` is 0) or its closest encloser's
 * (RFC 4592 3.3.1). The name must be within the zone.
 */
static inline const struct zone_node *
zone_find_encloser(const struct zone *zone, const struct name_index *name, unsigned *suffix)
{
    unsigned apex = name->label_count - zone->origin_labels;
    for (*suffix = 0; *suffix < apex; ++*suffix) {
        const struct zone_node *node = zone_find(zone, name, *suffix);
        if (node != NULL) {
            return node;
        }
    }
    return zone->apex;
}

/* The RRset of a type at a node, or NULL. */
static inline const struct zone_rrset *zone_node_rrset(const struct zone_node *node, uint16_t type)
{
    for (unsigned i = 0; i < node->rrset_count; i++) {
        if (node->rrsets[i].type == type) {
            return &node->rrsets[i];
        }
    }
    return NULL;
}

#endif
