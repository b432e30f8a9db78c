/* Numbers as people write them: the whole text must be one number inside the limits. */
#ifndef CORE_NUMBER_H
#define CORE_NUMBER_H

#include <stdint.h>

#include "core/attributes.h"

/*
 * Decimal digits only (no sign, no space, no hexadecimal). 0, ERR_SYNTAX, or ERR_RANGE when
 * outside [min, max]; `value` is written only on success.
 */
int number_parse_u64(const char *text, uint64_t min, uint64_t max, uint64_t *value) MUST_CHECK;

/*
 * Digits with an optional decimal point, a point always, whatever the locale; no exponent, nan or
 * inf. 0, ERR_SYNTAX or ERR_RANGE when outside [min, max].
 */
int number_parse_decimal(const char *text, double min, double max, double *value) MUST_CHECK;

#endif
