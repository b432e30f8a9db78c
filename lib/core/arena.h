/* Memory that is given out piece by piece and freed all at once. Not thread-safe. */
#ifndef CORE_ARENA_H
#define CORE_ARENA_H

#include <stddef.h>

#include "core/attributes.h"

struct arena;

/* An empty arena, or NULL when memory is out. */
struct arena *arena_create(void) MUST_CHECK;

/* Frees the arena and every piece; NULL is allowed. */
void arena_free(struct arena *arena);

/* `size` zeroed octets, aligned for any object, or NULL. They live as long as the arena. */
void *arena_allocate(struct arena *arena, size_t size) MUST_CHECK;

/* A copy of `size` octets, not aligned, or NULL. */
void *arena_copy(struct arena *arena, const void *octets, size_t size) MUST_CHECK;

#endif
