/* Which zone a master file is about. Pure, any thread. */
#ifndef SWEEP_ZONE_ORIGIN_H
#define SWEEP_ZONE_ORIGIN_H

#include <stddef.h>

/*
 * The owner of the first SOA record in a master file's text (RFC 1035 5.1), as far as the file says
 * it: an absolute owner, or one below an $ORIGIN that stands before it. The caller frees it. NULL
 * when there is no SOA record, when only its reader knows the origin, or when memory is short.
 */
char *zone_origin_find(const char *text, size_t size);

#endif
