/*
 * A flow: one client, that is one connected UDP socket with its message IDs. A flow belongs to one
 * thread. Sending and receiving never block; who has nothing to do polls flow->fd.
 */
#ifndef LOAD_FLOW_H
#define LOAD_FLOW_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "load/address.h"
#include "load/id_table.h"

/* Datagrams to a system call. */
#define FLOW_BATCH 32
/* Octets kept of a datagram; a header and the longest question are 271, a query with all EDNS
 * options is longer. Not a power of two, so that buffers do not share cache sets. */
#define FLOW_DATAGRAM_BYTES 1472

struct flow {
    int fd;
    struct id_table ids;
};

/* Room for a batch in either direction; each thread has its own. */
struct flow_batch {
    struct mmsghdr headers[FLOW_BATCH];
    struct iovec vectors[FLOW_BATCH];
    uint8_t octets[FLOW_BATCH][FLOW_DATAGRAM_BYTES];
};

struct flow_config {
    struct address server;
    struct address local; /* size 0: the kernel chooses */
    uint32_t buffer_kib;  /* 0: the system's default */
    uint32_t id_slots;
    uint64_t timeout_ns;
};

/* An ICMP error for a query. */
struct flow_refusal {
    int error_number; /* ECONNREFUSED, EHOSTUNREACH, ... */
    bool has_id;      /* whether the error quoted enough of the query */
    uint16_t id;
};

/* Opens, binds and connects; 0 or ERR_SYSTEM, ERR_MEMORY. Close with flow_close(). */
int flow_open(struct flow *flow, const struct flow_config *config,
              struct diag *diag) MUST_CHECK NONNULL_ALL;
void flow_close(struct flow *flow) NONNULL_ALL;

/* Points a batch's headers at its octets; before its first use. */
void flow_batch_init(struct flow_batch *batch) NONNULL_ALL;

/*
 * Sends the first `count` datagrams of `batch`, whose lengths are in the vectors. Returns how many
 * were taken by the kernel, fewer when the socket's buffer is full or an ICMP error for an earlier
 * query came in between; or ERR_SYSTEM with a diag.
 */
int flow_send(struct flow *flow, struct flow_batch *batch, unsigned count,
              struct diag *diag) MUST_CHECK NONNULL_ALL;

/*
 * Receives up to FLOW_BATCH datagrams; returns their number, 0 when there is none.
 * headers[].msg_len is a datagram's whole length, of which at most FLOW_DATAGRAM_BYTES were kept.
 * ERR_SYSTEM with a diag on an error that no ICMP message explains.
 */
int flow_receive(struct flow *flow, struct flow_batch *batch,
                 struct diag *diag) MUST_CHECK NONNULL_ALL;

/* Takes one ICMP error from the socket's queue; false when there is none. */
bool flow_next_refusal(struct flow *flow, struct flow_refusal *refusal) MUST_CHECK NONNULL_ALL;

/* Replies that the kernel threw away because the socket's buffer was full; 0 where it does not
 * tell. */
uint32_t flow_drops(const struct flow *flow) MUST_CHECK NONNULL_ALL;

#endif
