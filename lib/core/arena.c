#include "core/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES ((size_t)64 * 1024)

struct chunk {
    struct chunk *next;
    alignas(max_align_t) unsigned char octets[];
};

struct arena {
    struct chunk *chunks; /* the newest first; pieces come from it */
    size_t used;
    size_t room;
};

struct arena *arena_create(void)
{
    return calloc(1, sizeof(struct arena));
}

void arena_free(struct arena *arena)
{
    if (arena == NULL) {
        return;
    }
    for (struct chunk *chunk = arena->chunks; chunk != NULL;) {
        struct chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
    free(arena);
}

/* Makes the newest chunk one that holds at least `size` octets. */
static int add_chunk(struct arena *arena, size_t size)
{
    size_t room = size > CHUNK_BYTES ? size : CHUNK_BYTES;
    size_t bytes;
    if (__builtin_add_overflow(room, sizeof(struct chunk), &bytes)) {
        return -1;
    }
    struct chunk *chunk = calloc(1, bytes);
    if (chunk == NULL) {
        return -1;
    }
    chunk->next = arena->chunks;
    arena->chunks = chunk;
    arena->used = 0;
    arena->room = room;
    return 0;
}

static void *take(struct arena *arena, size_t size, size_t alignment)
{
    size_t start = (arena->used + alignment - 1) & ~(alignment - 1);
    if (arena->chunks == NULL || start > arena->room || size > arena->room - start) {
        if (add_chunk(arena, size) != 0) {
            return NULL;
        }
        start = 0;
    }
    arena->used = start + size;
    return arena->chunks->octets + start;
}

void *arena_allocate(struct arena *arena, size_t size)
{
    return take(arena, size, alignof(max_align_t));
}

void *arena_copy(struct arena *arena, const void *octets, size_t size)
{
    void *copy = take(arena, size, 1);
    if (copy != NULL && size > 0) {
        memcpy(copy, octets, size);
    }
    return copy;
}
