/*
 * The zones of the moment, for readers that never wait. A reader announces the set that it reads
 * in a slot of its own; whoever replaces the set waits until no slot holds the old one.
 */
#ifndef RESOLVER_SNAPSHOT_H
#define RESOLVER_SNAPSHOT_H

#include "core/attributes.h"
#include "dns/zone_set.h"

struct snapshot;
struct snapshot_reader;

/* Takes `zones` over. `reader_count` threads can read at a time. NULL when memory is out: `zones`
 * is still the caller's. */
struct snapshot *snapshot_create(struct zone_set *zones, unsigned reader_count) MUST_CHECK;

/* Frees it and its zones; nobody reads any more. NULL is allowed. */
void snapshot_free(struct snapshot *snapshot);

/* Reader number `number`; one thread at a time uses it. */
struct snapshot_reader *snapshot_reader(struct snapshot *snapshot, unsigned number) NONNULL_ALL;

/* The zones, valid until snapshot_release() of the same reader. Never waits. */
const struct zone_set *snapshot_acquire(struct snapshot_reader *reader) NONNULL_ALL;
void snapshot_release(struct snapshot_reader *reader) NONNULL_ALL;

/* Takes `zones` over as the new set, waits (sleeping) for the readers of the old, and frees it.
 * One thread at a time. */
void snapshot_replace(struct snapshot *snapshot, struct zone_set *zones) NONNULL_ALL;

#endif
