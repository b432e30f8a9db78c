/*
 * What a zone file's author would have to write: the forms of RDATA in presentation format, for
 * messages about data that cannot be read. Pure; static storage; any thread.
 */
#ifndef DNS_ZONE_HINT_H
#define DNS_ZONE_HINT_H

#include <stdint.h>

/* The form of a type's RDATA, as "preference and mail server (10 mail.example.com.)"; for a type
 * that has none here, that of any type (RFC 3597 5). Never NULL. */
const char *zone_hint_rdata(uint16_t type);

#endif
