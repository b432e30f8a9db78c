/* Zones from master files (RFC 1035 5.1, RFC 2308 4 for $TTL), with BIND's reading of them. */
#ifndef DNS_ZONE_LOAD_H
#define DNS_ZONE_LOAD_H

#include "core/attributes.h"
#include "core/diag.h"
#include "dns/zone.h"
#include "dns/zone_build.h"

/*
 * Reads `path` as the zone of `origin_text` (presentation format, final dot or not) into a new
 * zone, which the caller owns. Warnings go to `sink`. 0; else the diag has file and line:
 * ERR_SYNTAX for what is written there, ERR_SYSTEM for a file that cannot be read, ERR_MEMORY.
 */
int zone_load(const char *origin_text, const char *path, const struct zone_warning_sink *sink,
              struct zone **zone, struct diag *diag) MUST_CHECK;

#endif
