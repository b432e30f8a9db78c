/* Datagrams by the batch: many in one system call, answered in place, many out in another. */
#ifndef RESOLVER_BATCH_H
#define RESOLVER_BATCH_H

#include <stdbool.h>

#include "core/attributes.h"
#include "snapshot.h"

struct batch;

/* Room for one thread's batches; NULL when memory is out. */
struct batch *batch_create(void) MUST_CHECK;

/* NULL is allowed. */
void batch_free(struct batch *batch);

/*
 * Receives what is there on `fd`, waiting for the first datagram if `may_wait`, answers each and
 * sends the answers. The number received; 0 when nothing was there or the wait was cut short.
 * May switch threads in the system calls.
 */
unsigned batch_serve(struct batch *batch, int fd, bool may_wait,
                     struct snapshot_reader *reader) NONNULL_ALL;

#endif
