/* Where the names are inside RDATA, for the types whose RDATA holds some. Pure; any thread. */
#ifndef DNS_ZONE_RDATA_H
#define DNS_ZONE_RDATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attributes.h"

struct zone_rdata_layout {
    uint16_t type;
    uint8_t prefix_bytes; /* octets before the names */
    uint8_t name_count;
    uint8_t suffix_bytes; /* octets that must follow the names, 0 for any number */
    bool compressible;    /* of RFC 1035's own types (RFC 3597 4) */
};

/* The layout of a type, or NULL when its RDATA holds no name that matters here. */
const struct zone_rdata_layout *zone_rdata_layout(uint16_t type);

/* Whether the RDATA has the size or the names that its type asks for, where we know. */
bool zone_rdata_is_valid(uint16_t type, const uint8_t *rdata, size_t size) PURE_FUNCTION;

/* Order of RDATA of one type, names without regard to case (RFC 4034 6.2 and 6.3). */
int zone_rdata_compare(uint16_t type, const uint8_t *a, size_t a_size, const uint8_t *b,
                       size_t b_size) PURE_FUNCTION;

#endif
