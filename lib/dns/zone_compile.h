/* The inside of a zone builder: shared by zone_build.c, which collects records, and
 * zone_compile.c, which makes the zone of them. Nobody else includes this. */
#ifndef DNS_ZONE_COMPILE_H
#define DNS_ZONE_COMPILE_H

#include "dns/zone_build.h"

struct built_record {
    uint32_t node; /* number in zone_builder.nodes */
    uint32_t ttl_s;
    uint16_t type;
    uint16_t rdata_bytes;
    const uint8_t *rdata;
    size_t sequence; /* order in the master file */
    struct zone_place place;
};

struct zone_builder {
    struct zone_warning_sink sink;
    struct arena *arena;   /* nodes and names, and then the zone, which takes it over */
    struct arena *scratch; /* RDATA as it came, freed with the builder */
    const uint8_t *origin;
    unsigned origin_labels;
    struct built_record *records;
    size_t record_count;
    size_t record_room;
    struct zone_node **nodes; /* a parent before its children, the apex first */
    size_t node_count;
    size_t node_room;
    uint32_t *slots; /* hash table of node numbers plus 1 */
    size_t slot_count;
};

int zone_compile(struct zone_builder *builder, const char *file, struct zone **zone,
                 struct diag *diag) MUST_CHECK;

#endif
