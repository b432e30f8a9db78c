#include "snapshot.h"

#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/clock.h"

#define CACHE_LINE_BYTES 64

struct snapshot_reader {
    alignas(CACHE_LINE_BYTES) _Atomic(const struct zone_set *) held;
    const struct snapshot *snapshot;
};

struct snapshot {
    _Atomic(struct zone_set *) current;
    unsigned reader_count;
    struct snapshot_reader *readers;
};

struct snapshot *snapshot_create(struct zone_set *zones, unsigned reader_count)
{
    struct snapshot *snapshot = calloc(1, sizeof(*snapshot));
    struct snapshot_reader *readers =
        aligned_alloc(CACHE_LINE_BYTES, reader_count * sizeof(struct snapshot_reader));
    if (snapshot == NULL || readers == NULL) {
        free(snapshot);
        free(readers);
        return NULL;
    }
    for (unsigned i = 0; i < reader_count; i++) {
        atomic_init(&readers[i].held, NULL);
        readers[i].snapshot = snapshot;
    }
    atomic_init(&snapshot->current, zones);
    snapshot->reader_count = reader_count;
    snapshot->readers = readers;
    return snapshot;
}

void snapshot_free(struct snapshot *snapshot)
{
    if (snapshot != NULL) {
        zone_set_free(atomic_load(&snapshot->current));
        free(snapshot->readers);
        free(snapshot);
    }
}

struct snapshot_reader *snapshot_reader(struct snapshot *snapshot, unsigned number)
{
    CHECK(number < snapshot->reader_count);
    return &snapshot->readers[number];
}

/*
 * Ordering: the reader writes `held` and then reads `current`; the writer writes `current` and
 * then reads `held`. All four are sequentially consistent, so at least one of the two sees what
 * the other wrote: either the reader sees the new set and tries again, or the writer sees the old
 * set held and waits.
 */
const struct zone_set *snapshot_acquire(struct snapshot_reader *reader)
{
    const struct snapshot *snapshot = reader->snapshot;
    const struct zone_set *zones = atomic_load(&snapshot->current);
    for (;;) {
        atomic_store(&reader->held, zones);
        const struct zone_set *again = atomic_load(&snapshot->current);
        if (again == zones) {
            return zones;
        }
        zones = again;
    }
}

void snapshot_release(struct snapshot_reader *reader)
{
    atomic_store_explicit(&reader->held, NULL, memory_order_release);
}

void snapshot_replace(struct snapshot *snapshot, struct zone_set *zones)
{
    struct zone_set *old = atomic_exchange(&snapshot->current, zones);
    for (unsigned i = 0; i < snapshot->reader_count; i++) {
        while (atomic_load(&snapshot->readers[i].held) == old) {
            (void)clock_sleep_until_ns(clock_monotonic_ns() + NS_PER_MS);
        }
    }
    zone_set_free(old);
}
