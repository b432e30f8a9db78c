/*
 * Builds a zone from resource records, however they were read. One builder per zone and thread:
 * create, add each record, finish. All checks that need no more than the records are made here.
 */
#ifndef DNS_ZONE_BUILD_H
#define DNS_ZONE_BUILD_H

#include <stddef.h>
#include <stdint.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "dns/zone.h"

/* Where a record was written. `file` must outlive the builder. */
struct zone_place {
    const char *file;
    unsigned line;
};

/* Says what was ignored or mended; the zone is still usable. */
struct zone_warning_sink {
    void (*warn)(void *context, const struct zone_place *place, const char *text);
    void *context;
};

struct zone_record {
    const uint8_t *owner; /* wire format, any case */
    uint16_t type;
    uint32_t ttl_s;
    const uint8_t *rdata; /* wire format, uncompressed */
    uint16_t rdata_bytes;
};

struct zone_builder;

/* `origin` is copied. NULL when memory is out. The sink is used until the builder is freed. */
struct zone_builder *zone_builder_create(const uint8_t *origin,
                                         const struct zone_warning_sink *sink) MUST_CHECK;

/* NULL is allowed. */
void zone_builder_free(struct zone_builder *builder);

/*
 * Adds a record of class IN; all of it is copied. Data outside the zone is ignored with a warning,
 * as named does. 0; ERR_SYNTAX for RDATA that its type forbids or an SOA below the apex;
 * ERR_MEMORY.
 */
int zone_builder_add(struct zone_builder *builder, const struct zone_record *record,
                     const struct zone_place *place, struct diag *diag) MUST_CHECK;

/*
 * Makes the zone, which the caller owns and frees with zone_free(); the builder can only be freed
 * after it. `file` is named where the fault has no line. ERR_SYNTAX when the apex has not one SOA
 * and an NS, or at CNAME and other data (RFC 2181 10.1); ERR_MEMORY.
 */
int zone_builder_finish(struct zone_builder *builder, const char *file, struct zone **zone,
                        struct diag *diag) MUST_CHECK;

#endif
