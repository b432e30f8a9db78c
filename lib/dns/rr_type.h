/* Mnemonics of RR types, from IANA's "Resource Record (RR) TYPEs". Pure; any thread. */
#ifndef DNS_RR_TYPE_H
#define DNS_RR_TYPE_H

#include <stddef.h>
#include <stdint.h>

#include "core/attributes.h"

/*
 * The type that the `length` characters at `text` name, in any case: a mnemonic, whole, or TYPEn
 * with n from 0 to 65535 (RFC 3597 section 5). 0, ERR_NOT_FOUND, or ERR_RANGE for a larger n.
 */
int rr_type_parse(const char *text, size_t length, uint16_t *type) MUST_CHECK NONNULL_ALL;

#endif
