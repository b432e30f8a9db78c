/* Blocking calls on descriptors as non-blocking tries and waits in the poller. */
#ifndef PSCOPE_IO_H
#define PSCOPE_IO_H

#include <stdbool.h>

#include "pscope/poller.h"

/* A system call that answers -EAGAIN when it would block. */
struct io_call {
    long number;
    long arguments[6];
};

/*
 * Makes `call` on `fd` until it does not answer -EAGAIN; in between, if `may_block`, waits for the
 * descriptor (no longer than its SO_RCVTIMEO or SO_SNDTIMEO). The kernel's value: -EAGAIN after
 * that time or when it may not block, -EINTR after a signal. A cancellation point. The caller is
 * aboard. *cannot is set when the descriptor cannot be waited for: then nothing was done.
 */
long io_perform(int fd, enum direction direction, const struct io_call *call, bool may_block,
                bool *cannot);

/* Waits until `deadline_ns` for any of the watches; 0 try again, -EINTR, -ETIMEDOUT, -EPERM. */
long io_wait(struct poller_watch *watches, unsigned count, uint64_t deadline_ns, bool restarts);

/* Some socket has a time limit now: waits must ask for it. */
void io_time_limits(void);

/* The deadline that a wait on this socket has if it begins now. */
uint64_t io_deadline(int fd, enum direction direction);

/* A write met a broken pipe: the calling thread, aboard, gets SIGPIPE. */
void io_broken_pipe(void);

#endif
