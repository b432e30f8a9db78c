/*
 * Sends damaged queries to two servers and compares how they judge them.
 *
 *     compare_messages NAME REFERENCE_PORT PORT
 *
 * Two queries for NAME, without and with EDNS, are cut at every octet, and every octet gets every
 * value; and so, but with every 15th value only, a message of opcode STATUS with RD and CD and an
 * EDNS query without a question. Behind each goes a sound query; when that is answered and the
 * damaged one is not, the answer is silence. Compared are silence, ID, flags, rcode and the
 * sections' counts. Not compared: opcodes NOTIFY and UPDATE, which scoped does not implement, and
 * messages whose OPT has become a TSIG or SIG or, where there is no question, anything else: named
 * takes its class for the question's. Exit status: 0 same, 1 differences, 2 usage or a server does
 * not answer.
 */
#include <arpa/inet.h>
#include <ldns/ldns.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MESSAGE_BYTES 512
#define HEADER_BYTES  12
#define SOUND_ID      0xfffe /* no damaged query has it */
#define TIMEOUT_MS    2000

struct message {
    uint8_t octets[MESSAGE_BYTES];
    size_t bytes;
};

static void die(const char *what)
{
    fprintf(stderr, "compare_messages: %s\n", what);
    exit(2);
}

static void put(struct message *message, const void *octets, size_t count)
{
    memcpy(message->octets + message->bytes, octets, count);
    message->bytes += count;
}

/* What is sent, and damaged. */
struct form {
    uint8_t flags[2]; /* the header's second field */
    bool has_question;
    bool has_edns;
    unsigned value_step; /* of the values that each octet gets */
};

static const struct form forms[] = {
    {{0, 0}, true, false, 1},
    {{0, 0}, true, true, 1},
    {{0x11, 0x10}, true, true, 15},
    {{0, 0}, false, true, 15},
};

static void make_query(struct message *query, unsigned id, const char *name_text,
                       const struct form *form)
{
    const uint8_t header[HEADER_BYTES] = {(uint8_t)(id >> 8),
                                          (uint8_t)id,
                                          form->flags[0],
                                          form->flags[1],
                                          0,
                                          form->has_question,
                                          0,
                                          0,
                                          0,
                                          0,
                                          0,
                                          form->has_edns};
    ldns_rdf *name = ldns_dname_new_frm_str(name_text);
    if (name == NULL) {
        die("NAME is not a domain name");
    }
    query->bytes = 0;
    put(query, header, sizeof(header));
    if (form->has_question) {
        put(query, ldns_rdf_data(name), ldns_rdf_size(name));
        put(query, "\0\1\0\1", 4);
    }
    if (form->has_edns) {
        put(query, "\0\0\51\4\320\0\0\0\0\0\0", 11);
    }
    ldns_rdf_deep_free(name);
}

static int connect_server(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
        die("cannot make a socket");
    }
    return fd;
}

/* Sends the damaged query and the sound one; the answer to the first, of 0 octets for silence. */
static void ask(int fd, const struct message *damaged, const struct message *sound,
                struct message *answer)
{
    bool sound_answered = false;
    answer->bytes = 0;
    if (send(fd, damaged->octets, damaged->bytes, 0) < 0 ||
        send(fd, sound->octets, sound->bytes, 0) < 0) {
        die("cannot send");
    }
    while (!sound_answered) {
        struct message reply;
        struct pollfd polled = {.fd = fd, .events = POLLIN};
        if (poll(&polled, 1, TIMEOUT_MS) <= 0) {
            die("a sound query is not answered");
        }
        ssize_t bytes = recv(fd, reply.octets, sizeof(reply.octets), 0);
        if (bytes < HEADER_BYTES) {
            die("an answer without a header");
        }
        reply.bytes = (size_t)bytes;
        if (reply.octets[0] == SOUND_ID >> 8 && reply.octets[1] == (SOUND_ID & 0xff)) {
            sound_answered = true;
        } else {
            *answer = reply;
        }
    }
}

static bool is_compared(const struct message *query, size_t opt_type_offset)
{
    enum { NOTIFY = 4, UPDATE = 5, TYPE_SIG = 24, TYPE_OPT = 41, TYPE_TSIG = 250 };
    unsigned opcode = query->bytes > 2 ? query->octets[2] >> 3 & 15u : 0;
    if (opcode == NOTIFY || opcode == UPDATE) {
        return false;
    }
    if (opt_type_offset == 0 || query->bytes < opt_type_offset + 2) {
        return true;
    }
    unsigned type =
        (unsigned)query->octets[opt_type_offset] << 8 | query->octets[opt_type_offset + 1];
    bool gives_class = opt_type_offset == HEADER_BYTES + 1 && type != TYPE_OPT;
    return type != TYPE_SIG && type != TYPE_TSIG && !gives_class;
}

static void print_message(const char *label, const struct message *message, size_t limit)
{
    printf("%s:", label);
    for (size_t i = 0; i < message->bytes && i < limit; i++) {
        printf(" %02x", message->octets[i]);
    }
    printf("%s\n", message->bytes == 0 ? " silence" : "");
}

/* 1 when the servers differ. */
static unsigned compare(const int fds[2], const struct message *damaged,
                        const struct message *sound, size_t opt_type_offset)
{
    struct message answers[2];
    if (!is_compared(damaged, opt_type_offset)) {
        return 0;
    }
    for (unsigned i = 0; i < 2; i++) {
        ask(fds[i], damaged, sound, &answers[i]);
    }
    if ((answers[0].bytes == 0) == (answers[1].bytes == 0) &&
        (answers[0].bytes == 0 ||
         memcmp(answers[0].octets, answers[1].octets, HEADER_BYTES) == 0)) {
        return 0;
    }
    print_message("query    ", damaged, MESSAGE_BYTES);
    print_message("reference", &answers[0], HEADER_BYTES);
    print_message("other    ", &answers[1], HEADER_BYTES);
    return 1;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        die("usage: NAME REFERENCE_PORT PORT");
    }
    const int fds[2] = {connect_server(atoi(argv[2])), connect_server(atoi(argv[3]))};
    struct message sound;
    unsigned asked = 0;
    unsigned different = 0;
    make_query(&sound, SOUND_ID, argv[1], &forms[0]);
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        struct message query;
        make_query(&query, 0x1234, argv[1], &forms[i]);
        const size_t bytes = query.bytes;
        const size_t opt_type_offset = forms[i].has_edns ? bytes - 10 : 0;
        for (size_t at = 0; at < bytes; at++, asked++) {
            query.bytes = at;
            different += compare(fds, &query, &sound, opt_type_offset);
        }
        query.bytes = bytes;
        for (size_t at = 2; at < bytes; at++) {
            const uint8_t kept = query.octets[at];
            for (unsigned value = 0; value < 256; value += forms[i].value_step, asked++) {
                query.octets[at] = (uint8_t)value;
                different += compare(fds, &query, &sound, opt_type_offset);
            }
            query.octets[at] = kept;
        }
    }
    printf("%u damaged queries, %u differences\n", asked, different);
    return different == 0 ? 0 : 1;
}
