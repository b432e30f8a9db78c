/* $GENERATE, BIND's own directive: a line made many times with a number in it. Pure; any thread. */
#ifndef DNS_ZONE_GENERATE_H
#define DNS_ZONE_GENERATE_H

#include <stddef.h>
#include <stdint.h>

#include "core/attributes.h"

/* START-STOP[/STEP], both ends included. */
struct zone_generate_range {
    int32_t start;
    int32_t stop;
    int32_t step;
};

/* 0, or ERR_SYNTAX: numbers from 0 to 2147483647, STOP not before START, STEP at least 1. */
int zone_generate_parse_range(const char *text, struct zone_generate_range *range) MUST_CHECK;

/*
 * Writes `pattern` with each $ replaced by `value`, and each ${OFFSET[,WIDTH[,BASE]]} by
 * value + OFFSET in base d, o, x, X, n or N (n and N are hexadecimal digits, the last first, with
 * dots between). $$ is a dollar sign; what a backslash protects stays. 0; ERR_SYNTAX for braces
 * that hold something else; ERR_RANGE when the number or the line grows too large.
 */
int zone_generate_expand(const char *pattern, int32_t value, char *out, size_t room) MUST_CHECK;

#endif
