#include "batch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "answer.h"

#define BATCH_SIZE      32
#define QUERY_MAX_BYTES 4096 /* what is longer is cut, and so found malformed */

struct batch {
    struct mmsghdr received[BATCH_SIZE];
    struct mmsghdr replies[BATCH_SIZE];
    struct iovec query_vectors[BATCH_SIZE];
    struct iovec reply_vectors[BATCH_SIZE];
    struct sockaddr_storage clients[BATCH_SIZE];
    uint8_t answers[BATCH_SIZE][ANSWER_MAX_BYTES];
    uint8_t queries[BATCH_SIZE][QUERY_MAX_BYTES];
};

struct batch *batch_create(void)
{
    struct batch *batch = calloc(1, sizeof(*batch));
    if (batch == NULL) {
        return NULL;
    }
    for (unsigned i = 0; i < BATCH_SIZE; i++) {
        batch->query_vectors[i] =
            (struct iovec){.iov_base = batch->queries[i], .iov_len = QUERY_MAX_BYTES};
        batch->received[i].msg_hdr.msg_iov = &batch->query_vectors[i];
        batch->received[i].msg_hdr.msg_iovlen = 1;
        batch->received[i].msg_hdr.msg_name = &batch->clients[i];
        batch->reply_vectors[i].iov_base = batch->answers[i];
        batch->replies[i].msg_hdr.msg_iovlen = 1;
    }
    return batch;
}

void batch_free(struct batch *batch)
{
    free(batch);
}

/* Answers `count` queries; the number of replies, which stand at the front. */
static unsigned answer_all(struct batch *batch, unsigned count, const struct zone_set *zones)
{
    unsigned replies = 0;
    for (unsigned i = 0; i < count; i++) {
        size_t bytes =
            answer(zones, batch->queries[i], batch->received[i].msg_len, batch->answers[i]);
        if (bytes == 0) {
            continue;
        }
        struct msghdr *reply = &batch->replies[replies++].msg_hdr;
        batch->reply_vectors[i].iov_len = bytes;
        reply->msg_iov = &batch->reply_vectors[i];
        reply->msg_name = &batch->clients[i];
        reply->msg_namelen = batch->received[i].msg_hdr.msg_namelen;
    }
    return replies;
}

/* A reply that cannot be sent is lost like any datagram, and must not hold up those behind it. */
static void send_all(struct batch *batch, int fd, unsigned count)
{
    unsigned done = 0;
    while (done < count) {
        int sent = sendmmsg(fd, batch->replies + done, count - done, MSG_NOSIGNAL);
        done += sent > 0 ? (unsigned)sent : 1;
    }
}

unsigned batch_serve(struct batch *batch, int fd, bool may_wait, struct snapshot_reader *reader)
{
    for (unsigned i = 0; i < BATCH_SIZE; i++) {
        batch->received[i].msg_hdr.msg_namelen = sizeof(batch->clients[i]);
    }
    int count =
        recvmmsg(fd, batch->received, BATCH_SIZE, may_wait ? MSG_WAITFORONE : MSG_DONTWAIT, NULL);
    if (count <= 0) {
        return 0;
    }
    unsigned replies = answer_all(batch, (unsigned)count, snapshot_acquire(reader));
    snapshot_release(reader);
    send_all(batch, fd, replies);
    return (unsigned)count;
}
