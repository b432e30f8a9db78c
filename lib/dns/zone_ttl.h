/* Times as zone files have them. Pure; any thread. */
#ifndef DNS_ZONE_TTL_H
#define DNS_ZONE_TTL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/attributes.h"

/* Seconds, or numbers with BIND's units (1h30m): false, and `*seconds` as it was, when the whole
 * text is no such time or it is longer than 32 bits can say. */
bool zone_ttl_parse(const char *text, uint32_t *seconds) MUST_CHECK;

#endif
