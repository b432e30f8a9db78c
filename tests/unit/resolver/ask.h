/* Asks answer() as a client would and reads the response with ldns, another implementation. */
#ifndef TESTS_UNIT_RESOLVER_ASK_H
#define TESTS_UNIT_RESOLVER_ASK_H

#include <stddef.h>
#include <stdint.h>

#include "dns/zone_set.h"

struct ask {
    const char *name; /* presentation format */
    uint16_t type;
    uint16_t edns_bytes; /* 0: no EDNS */
};

/* A response, its sections sorted lines "owner TTL TYPE data", names in lower case. */
struct told {
    size_t bytes;
    unsigned rcode;
    char flags[16]; /* of "aa tc rd", what is set */
    char answer[4096];
    char authority[4096];
    char additional[4096];
};

/* Loads `text` as the zone `origin` into the set; fails the test when that fails. */
void ask_add_zone(struct zone_set *zones, const char *origin, const char *text);

/* The query's octets. */
size_t ask_build(const struct ask *ask, uint8_t query[512]);

void ask_server(const struct zone_set *zones, const struct ask *ask, struct told *told);

#endif
