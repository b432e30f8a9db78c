#include "load/flow.h"

#include <errno.h>
#include <linux/errqueue.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

#include "core/check.h"
#include "core/error.h"
#include "dns/wire.h"

static int set_option(int fd, int level, int option, int value)
{
    return setsockopt(fd, level, option, &value, sizeof(value));
}

/* Asks for ICMP errors one by one, with what they quote (ip(7), IP_RECVERR). */
static int want_icmp_errors(int fd, int family)
{
    return family == AF_INET6 ? set_option(fd, IPPROTO_IPV6, IPV6_RECVERR, 1)
                              : set_option(fd, IPPROTO_IP, IP_RECVERR, 1);
}

static int set_buffers(int fd, uint32_t kib)
{
    int bytes = kib > INT32_MAX / 1024 ? INT32_MAX : (int)(kib * 1024);
    return kib == 0 ? 0
                    : set_option(fd, SOL_SOCKET, SO_RCVBUF, bytes) |
                          set_option(fd, SOL_SOCKET, SO_SNDBUF, bytes);
}

static int prepare_socket(int fd, const struct flow_config *config, struct diag *diag)
{
    const struct address *server = &config->server;
    const struct address *local = &config->local;
    if (want_icmp_errors(fd, server->socket.any.sa_family) != 0 ||
        set_buffers(fd, config->buffer_kib) != 0) {
        return diag_fail_errno(diag, NULL, "cannot set up a client socket");
    }
    char text[ADDRESS_TEXT_SIZE];
    if (local->size > 0 && bind(fd, &local->socket.any, local->size) != 0) {
        address_format(local, text);
        return diag_fail_errno(diag, NULL, "cannot send from %s port %u", text,
                               ntohs(local->socket.v4.sin_port));
    }
    if (connect(fd, &server->socket.any, server->size) != 0) {
        address_format(server, text);
        return diag_fail_errno(diag, NULL, "cannot send to %s", text);
    }
    return 0;
}

int flow_open(struct flow *flow, const struct flow_config *config, struct diag *diag)
{
    *flow = (struct flow){.fd = -1};
    int fd =
        socket(config->server.socket.any.sa_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
        return diag_fail_errno(diag, NULL, "cannot open a client socket%s",
                               errno == EMFILE ? " (-c; ulimit -n is the limit)" : "");
    }
    flow->fd = fd;
    int status = prepare_socket(fd, config, diag);
    if (status == 0 && id_table_init(&flow->ids, config->id_slots, config->timeout_ns) != 0) {
        status = diag_fail(diag, ERR_MEMORY, NULL, 0, "no memory for so many clients (-c)");
    }
    if (status != 0) {
        flow_close(flow);
    }
    return status;
}

void flow_close(struct flow *flow)
{
    if (flow->fd >= 0) {
        close(flow->fd);
        flow->fd = -1;
    }
    id_table_free(&flow->ids);
}

void flow_batch_init(struct flow_batch *batch)
{
    memset(batch, 0, sizeof(*batch));
    for (unsigned i = 0; i < FLOW_BATCH; i++) {
        batch->vectors[i] =
            (struct iovec){.iov_base = batch->octets[i], .iov_len = FLOW_DATAGRAM_BYTES};
        batch->headers[i].msg_hdr = (struct msghdr){.msg_iov = &batch->vectors[i], .msg_iovlen = 1};
    }
}

/* Errors that an ICMP message to this socket left behind; the next call works again. */
static bool is_icmp_error(int number)
{
    return number == ECONNREFUSED || number == EHOSTUNREACH || number == ENETUNREACH ||
           number == EPROTO || number == EHOSTDOWN || number == ENOPROTOOPT ||
           number == EOPNOTSUPP || number == ENONET;
}

int flow_send(struct flow *flow, struct flow_batch *batch, unsigned count, struct diag *diag)
{
    CHECK(count > 0 && count <= FLOW_BATCH);
    int sent;
    do {
        sent = sendmmsg(flow->fd, batch->headers, count, MSG_DONTWAIT);
    } while (sent < 0 && errno == EINTR);
    if (sent >= 0) {
        return sent;
    }
    if (errno == EAGAIN || errno == ENOBUFS || is_icmp_error(errno)) {
        return 0;
    }
    return diag_fail_errno(diag, NULL, "cannot send queries");
}

int flow_receive(struct flow *flow, struct flow_batch *batch, struct diag *diag)
{
    int received;
    do {
        /* MSG_TRUNC: the lengths of the datagrams, not of what was kept of them. */
        received = recvmmsg(flow->fd, batch->headers, FLOW_BATCH, MSG_DONTWAIT | MSG_TRUNC, NULL);
    } while (received < 0 && errno == EINTR);
    if (received >= 0) {
        return received;
    }
    if (errno == EAGAIN || is_icmp_error(errno)) {
        return 0;
    }
    return diag_fail_errno(diag, NULL, "cannot receive replies");
}

/* The errno of the error that came with `message`, or 0. */
static int error_of(struct msghdr *message)
{
    for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part != NULL;
         part = CMSG_NXTHDR(message, part)) {
        bool is_v4 = part->cmsg_level == IPPROTO_IP && part->cmsg_type == IP_RECVERR;
        bool is_v6 = part->cmsg_level == IPPROTO_IPV6 && part->cmsg_type == IPV6_RECVERR;
        if (is_v4 || is_v6) {
            struct sock_extended_err error;
            memcpy(&error, CMSG_DATA(part), sizeof(error));
            return (int)error.ee_errno;
        }
    }
    return 0;
}

bool flow_next_refusal(struct flow *flow, struct flow_refusal *refusal)
{
    uint8_t quoted[2];
    union {
        struct cmsghdr aligned;
        char octets[512];
    } control;
    struct iovec vector = {.iov_base = quoted, .iov_len = sizeof(quoted)};
    struct msghdr message = {
        .msg_iov = &vector,
        .msg_iovlen = 1,
        .msg_control = &control,
        .msg_controllen = sizeof(control),
    };
    ssize_t size = recvmsg(flow->fd, &message, MSG_ERRQUEUE | MSG_DONTWAIT);
    if (size < 0) {
        return false;
    }
    *refusal = (struct flow_refusal){
        .error_number = error_of(&message),
        .has_id = size == sizeof(quoted),
        .id = size == sizeof(quoted) ? wire_get_u16(quoted) : 0,
    };
    return true;
}

uint32_t flow_drops(const struct flow *flow)
{
    uint32_t figures[SK_MEMINFO_VARS] = {0};
    socklen_t size = sizeof(figures);
    if (getsockopt(flow->fd, SOL_SOCKET, SO_MEMINFO, figures, &size) != 0) {
        return 0;
    }
    return figures[SK_MEMINFO_DROPS];
}
