/*
 * RDATA as zone files write it -> octets. ldns reads it; this file asks for what ldns lets pass and
 * would change without a word (a number that is too large for its field, a type that there is not),
 * and for generic data (RFC 3597 5) that is not of its type's form. Pure; any thread.
 */
#ifndef DNS_ZONE_RDATA_TEXT_H
#define DNS_ZONE_RDATA_TEXT_H

#include <ldns/ldns.h>
#include <stdint.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "dns/zone_build.h"

/* The type that a word names, also as TYPE and its number; 0 when there is none, or it is
 * TYPE0. */
uint16_t zone_rdata_type(const char *word) MUST_CHECK;

/* Reads the words behind the type into `octets`, of which the old content goes; names are relative
 * to `origin`. 0; ERR_SYNTAX with what would be right; ERR_MEMORY. `text` is left as it is. */
int zone_rdata_read(const char *type_word, const char *text, const ldns_rdf *origin,
                    const struct zone_place *place, ldns_buffer *octets,
                    struct diag *diag) MUST_CHECK;

#endif
