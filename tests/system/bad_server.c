/*
 * A DNS server that misbehaves as it is told, for tests: the first label of a query's name is the
 * order, the other labels are free. One thread, 127.0.0.1, UDP; prints its port on a line, then
 * serves until it is killed. Usage: bad_server [PORT]
 *
 *   ok...      a reply with the question and no more
 *   drop...    no reply
 *   twice...   two replies
 *   delayN     a reply after N milliseconds
 *   badid      a reply with an ID that no query had (the query's with its highest bit turned)
 *   badname    a reply whose name differs in its last octet
 *   badtype    a reply with another type
 *   query      the query itself, so QR is clear
 *   shortN     the first N octets of a reply
 *   upper      a reply with the name in capitals
 *   tc         a reply with TC set
 *   rcodeN     a reply with that RCODE
 *   swap       a badname reply and then the right one
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#define HEADER_BYTES  12
#define MESSAGE_BYTES 1500
#define DELAYED_MAX   4096

struct message {
    uint8_t octets[MESSAGE_BYTES];
    size_t size;
    struct sockaddr_in peer;
};

struct delayed {
    struct message message;
    double due_s;
};

struct server {
    int fd;
    struct delayed *delayed; /* in no order */
    size_t delayed_count;
};

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void send_message(const struct server *server, const struct message *message)
{
    sendto(server->fd, message->octets, message->size, 0, (const struct sockaddr *)&message->peer,
           sizeof(message->peer));
}

static void delay(struct server *server, const struct message *reply, double seconds)
{
    if (server->delayed_count == DELAYED_MAX) {
        fputs("bad_server: too many delayed replies\n", stderr);
        exit(1);
    }
    server->delayed[server->delayed_count++] =
        (struct delayed){.message = *reply, .due_s = now_s() + seconds};
}

static void send_due(struct server *server)
{
    double now = now_s();
    for (size_t i = 0; i < server->delayed_count;) {
        if (server->delayed[i].due_s > now) {
            i++;
            continue;
        }
        send_message(server, &server->delayed[i].message);
        server->delayed[i] = server->delayed[--server->delayed_count];
    }
}

/* Whether the first label begins with `word`; what stands behind it is in `rest`. */
static int is_order(const struct message *query, const char *word, const char **rest)
{
    size_t length = strlen(word);
    *rest = (const char *)query->octets + HEADER_BYTES + 1 + length;
    return query->octets[HEADER_BYTES] >= length &&
           memcmp(query->octets + HEADER_BYTES + 1, word, length) == 0;
}

static void turn_last_octet(struct message *reply)
{
    size_t at = HEADER_BYTES;
    while (reply->octets[at] != 0) {
        at += reply->octets[at] + 1u;
    }
    reply->octets[at - 1] ^= 1;
}

static void capitals(struct message *reply)
{
    for (size_t at = HEADER_BYTES; reply->octets[at] != 0; at++) {
        reply->octets[at] = (uint8_t)toupper(reply->octets[at]);
    }
}

static void answer(struct server *server, const struct message *query)
{
    const char *rest;
    struct message reply = *query;
    reply.octets[2] |= 0x80;
    reply.octets[3] = 0x80;
    if (is_order(query, "drop", &rest)) {
        return;
    }
    if (is_order(query, "twice", &rest)) {
        send_message(server, &reply);
    } else if (is_order(query, "delay", &rest)) {
        delay(server, &reply, atoi(rest) / 1e3);
        return;
    } else if (is_order(query, "badid", &rest)) {
        reply.octets[0] ^= 0x80;
    } else if (is_order(query, "badname", &rest)) {
        turn_last_octet(&reply);
    } else if (is_order(query, "badtype", &rest)) {
        reply.octets[reply.size - 3] ^= 1;
    } else if (is_order(query, "query", &rest)) {
        reply = *query;
    } else if (is_order(query, "short", &rest)) {
        reply.size = (size_t)atoi(rest);
    } else if (is_order(query, "upper", &rest)) {
        capitals(&reply);
    } else if (is_order(query, "tc", &rest)) {
        reply.octets[2] |= 0x02;
    } else if (is_order(query, "rcode", &rest)) {
        reply.octets[3] |= (uint8_t)(atoi(rest) & 0x0f);
    } else if (is_order(query, "swap", &rest)) {
        struct message wrong = reply;
        turn_last_octet(&wrong);
        send_message(server, &wrong);
    }
    send_message(server, &reply);
}

static void receive(struct server *server)
{
    struct message query;
    socklen_t size = sizeof(query.peer);
    memset(&query, 0, sizeof(query));
    ssize_t count = recvfrom(server->fd, query.octets, sizeof(query.octets) - 1, MSG_DONTWAIT,
                             (struct sockaddr *)&query.peer, &size);
    if (count > HEADER_BYTES + 4) {
        query.size = (size_t)count;
        answer(server, &query);
    }
}

static int open_socket(uint16_t port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons(port),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    socklen_t size = sizeof(address);
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &size) != 0) {
        perror("bad_server");
        exit(1);
    }
    printf("%u\n", ntohs(address.sin_port));
    fflush(stdout);
    return fd;
}

int main(int argc, char **argv)
{
    struct server server = {
        .fd = open_socket(argc > 1 ? (uint16_t)atoi(argv[1]) : 0),
        .delayed = calloc(DELAYED_MAX, sizeof(*server.delayed)),
    };
    if (server.delayed == NULL) {
        return 1;
    }
    for (;;) {
        struct pollfd poll_in = {.fd = server.fd, .events = POLLIN};
        poll(&poll_in, 1, server.delayed_count > 0 ? 1 : -1);
        receive(&server);
        send_due(&server);
    }
}
