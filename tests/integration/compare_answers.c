/*
 * Asks several servers the same questions and compares their answers with the first one's.
 *
 *     compare_answers [-n LIMIT] ORIGIN ZONEFILE REFERENCE_PORT PORT...
 *
 * ZONEFILE is plain (no $INCLUDE or $GENERATE, as named-compilezone writes it). Asked are every
 * name in it, owner or target, its parent, a child, a sibling, its wildcard; with every type that
 * the zone has and some that it may not have; without EDNS and with. Compared are header flags,
 * rcode, question, OPT, and each section as a set; not the sections of truncated answers. Exit
 * status: 0 same, 1 differences (the first ones are printed), 2 usage or a server does not answer.
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

#define WINDOW      200 /* questions on the way at a time; their IDs are their places */
#define SERVERS_MAX 8
#define REPLY_BYTES 4096
#define TIMEOUT_MS  2000
#define ATTEMPTS    3
#define REPORTS_MAX 20
#define TYPES_MAX   256
#define QUERY_BYTES 300

struct question {
    uint8_t octets[QUERY_BYTES];
    size_t bytes;
};

struct reply {
    uint8_t octets[REPLY_BYTES];
    size_t bytes; /* 0 while there is none */
};

struct server {
    int fd;
    int port;
    struct reply replies[WINDOW];
};

struct name_list {
    ldns_rdf **names;
    size_t count;
    size_t room;
};

struct comparison {
    struct server *servers;
    size_t server_count;
    struct question window[WINDOW];
    size_t in_window;
    bool is_signed; /* then nobody asks with DO: scoped serves no DNSSEC */
    uint64_t asked;
    uint64_t truncated;
    uint64_t different;
};

struct edns_variant {
    bool has_edns;
    bool dnssec_ok;
    uint16_t udp_bytes;
};

static const struct edns_variant variants[] = {
    {false, false, 0}, {true, false, 4096}, {true, true, 512}, {true, false, 100}};

static void die(const char *what)
{
    fprintf(stderr, "compare_answers: %s\n", what);
    exit(2);
}

/* ---- the zone's names and types ---- */

static void add_name(struct name_list *list, ldns_rdf *name)
{
    if (name == NULL) {
        return;
    }
    if (list->count == list->room) {
        list->room = list->room == 0 ? 1024 : 2 * list->room;
        list->names = reallocarray(list->names, list->room, sizeof(ldns_rdf *));
        if (list->names == NULL) {
            die("out of memory");
        }
    }
    list->names[list->count++] = name;
}

/* `label` in front of `name`, or NULL when that is too long. */
static ldns_rdf *with_label(const char *label, const ldns_rdf *name)
{
    ldns_rdf *made = ldns_dname_new_frm_str(label);
    if (made != NULL && ldns_dname_cat(made, name) != LDNS_STATUS_OK) {
        ldns_rdf_deep_free(made);
        made = NULL;
    }
    return made;
}

static void add_family(struct name_list *list, const ldns_rdf *name)
{
    add_name(list, ldns_rdf_clone(name));
    add_name(list, with_label("child-of", name));
    add_name(list, with_label("*", name));
    add_name(list, with_label("b.a", name));
    if (ldns_dname_label_count(name) > 0) {
        ldns_rdf *parent = ldns_dname_left_chop(name);
        add_name(list, with_label("Sibling-Of-It", parent));
        add_name(list, parent);
    }
}

static void add_record_names(struct name_list *list, const ldns_rr *rr)
{
    add_family(list, ldns_rr_owner(rr));
    for (size_t i = 0; i < ldns_rr_rd_count(rr); i++) {
        const ldns_rdf *rdf = ldns_rr_rdf(rr, i);
        if (ldns_rdf_get_type(rdf) == LDNS_RDF_TYPE_DNAME) {
            add_family(list, rdf);
        }
    }
}

static int compare_names(const void *a, const void *b)
{
    return ldns_dname_compare(*(ldns_rdf *const *)a, *(ldns_rdf *const *)b);
}

static void sort_and_merge(struct name_list *list)
{
    size_t kept = 0;
    qsort(list->names, list->count, sizeof(list->names[0]), compare_names);
    for (size_t i = 0; i < list->count; i++) {
        if (kept > 0 && ldns_dname_compare(list->names[kept - 1], list->names[i]) == 0) {
            ldns_rdf_deep_free(list->names[i]);
        } else {
            list->names[kept++] = list->names[i];
        }
    }
    list->count = kept;
}

static size_t read_zone(const char *origin_text, const char *path, struct name_list *names,
                        uint16_t types[TYPES_MAX])
{
    static const uint16_t always[] = {1, 2, 5, 6, 15, 16, 28, 39, 43, 255, 65280};
    bool seen[65536] = {false};
    size_t type_count = 0;
    FILE *file = fopen(path, "r");
    ldns_rdf *origin = ldns_dname_new_frm_str(origin_text);
    if (file == NULL || origin == NULL) {
        die("cannot read the zone file or its name");
    }
    uint32_t ttl = 3600;
    ldns_rdf *current_origin = ldns_rdf_clone(origin);
    ldns_rdf *previous = NULL;
    while (!feof(file)) {
        ldns_rr *rr = NULL;
        ldns_status status = ldns_rr_new_frm_fp(&rr, file, &ttl, &current_origin, &previous);
        if (status == LDNS_STATUS_OK) {
            seen[ldns_rr_get_type(rr)] = true;
            add_record_names(names, rr);
            ldns_rr_free(rr);
        }
    }
    fclose(file);
    add_family(names, origin);
    add_name(names, ldns_dname_new_frm_str("somewhere.else.invalid."));
    for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++) {
        seen[always[i]] = true;
    }
    for (unsigned type = 0; type < 65536 && type_count < TYPES_MAX; type++) {
        if (seen[type]) {
            types[type_count++] = (uint16_t)type;
        }
    }
    sort_and_merge(names);
    ldns_rdf_deep_free(origin);
    ldns_rdf_deep_free(current_origin);
    ldns_rdf_deep_free(previous);
    return type_count;
}

/* ---- questions ---- */

static void put_u16(struct question *question, unsigned value)
{
    question->octets[question->bytes++] = (uint8_t)(value >> 8);
    question->octets[question->bytes++] = (uint8_t)value;
}

static void make_question(struct question *question, unsigned id, const ldns_rdf *name,
                          uint16_t type, const struct edns_variant *variant, bool dnssec_ok)
{
    question->bytes = 0;
    put_u16(question, id);
    put_u16(question, id % 2 == 0 ? 0 : 0x0100); /* RD now and then: it must be echoed */
    put_u16(question, 1);
    put_u16(question, 0);
    put_u16(question, 0);
    put_u16(question, variant->has_edns ? 1 : 0);
    memcpy(question->octets + question->bytes, ldns_rdf_data(name), ldns_rdf_size(name));
    question->bytes += ldns_rdf_size(name);
    put_u16(question, type);
    put_u16(question, 1);
    if (variant->has_edns) {
        question->octets[question->bytes++] = 0;
        put_u16(question, 41);
        put_u16(question, variant->udp_bytes);
        put_u16(question, 0);
        put_u16(question, dnssec_ok ? 0x8000 : 0);
        put_u16(question, 0);
    }
}

/* ---- comparing two replies ---- */

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The section as sorted lines, names in lower case. */
static char **section_texts(const ldns_rr_list *list, size_t *count)
{
    *count = ldns_rr_list_rr_count(list);
    char **texts = calloc(*count + 1, sizeof(char *));
    if (texts == NULL) {
        die("out of memory");
    }
    for (size_t i = 0; i < *count; i++) {
        ldns_rr *rr = ldns_rr_clone(ldns_rr_list_rr(list, i));
        ldns_rr2canonical(rr);
        texts[i] = ldns_rr2str(rr);
        ldns_rr_free(rr);
    }
    qsort(texts, *count, sizeof(char *), compare_texts);
    return texts;
}

static void free_texts(char **texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(texts[i]);
    }
    free(texts);
}

static bool same_section(const ldns_rr_list *a, const ldns_rr_list *b)
{
    size_t a_count;
    size_t b_count;
    char **a_texts = section_texts(a, &a_count);
    char **b_texts = section_texts(b, &b_count);
    bool same = a_count == b_count;
    for (size_t i = 0; same && i < a_count; i++) {
        same = strcmp(a_texts[i], b_texts[i]) == 0;
    }
    free_texts(a_texts, a_count);
    free_texts(b_texts, b_count);
    return same;
}

static bool same_edns(const ldns_pkt *a, const ldns_pkt *b)
{
    return ldns_pkt_edns(a) == ldns_pkt_edns(b) &&
           ldns_pkt_edns_udp_size(a) == ldns_pkt_edns_udp_size(b) &&
           ldns_pkt_edns_extended_rcode(a) == ldns_pkt_edns_extended_rcode(b) &&
           ldns_pkt_edns_version(a) == ldns_pkt_edns_version(b) &&
           ldns_pkt_edns_do(a) == ldns_pkt_edns_do(b); /* extended errors are a courtesy */
}

/* A referral that the reference gives whole and the other truncated: glue did not fit. RFC 9471 3.1
 * asks for TC when any address of a server inside the delegated zone is missing; BIND 9.18 sets it
 * only when there is no room for the first ones. */
static bool is_stricter_referral(const struct reply *reference, const struct reply *reply)
{
    const uint8_t *a = reference->octets;
    const uint8_t *b = reply->octets;
    bool same_but_tc = (a[2] | 2) == b[2] && a[3] == b[3];
    bool is_referral = a[6] == 0 && a[7] == 0 && (a[2] & 4) == 0 && (a[8] != 0 || a[9] != 0);
    return same_but_tc && is_referral;
}

/* The question for the root's servers: the addresses belong into the answer (RFC 9609 4.2), and
 * named with minimal-responses leaves them out. */
static bool is_priming_answer(const struct reply *reply)
{
    static const uint8_t question[] = {0, 0, 2, 0, 1};
    return reply->bytes >= 17 && memcmp(reply->octets + 12, question, sizeof(question)) == 0;
}

/* Whether two answers are as full of addresses as they can be: each server chose others. */
static bool is_full(const struct reply *a, const struct reply *b)
{
    const size_t largest_address_bytes = 2 * 28; /* RRsets of two AAAA */
    bool both_have_some = a->octets[11] > 1 && b->octets[11] > 1;
    return both_have_some && a->bytes + largest_address_bytes > 512 &&
           b->bytes + largest_address_bytes > 512;
}

/* What differs, or NULL. */
static const char *find_difference(const struct reply *a, const struct reply *b,
                                   size_t question_end)
{
    if (is_stricter_referral(a, b)) {
        return NULL;
    }
    if (memcmp(a->octets, b->octets, 4) != 0) {
        return "header";
    }
    if (a->bytes < question_end || b->bytes < question_end ||
        memcmp(a->octets + 12, b->octets + 12, question_end - 12) != 0) {
        return "question";
    }
    ldns_pkt *x = NULL;
    ldns_pkt *y = NULL;
    const char *found = NULL;
    if (ldns_wire2pkt(&x, a->octets, a->bytes) != LDNS_STATUS_OK ||
        ldns_wire2pkt(&y, b->octets, b->bytes) != LDNS_STATUS_OK) {
        found = "malformed";
    } else if (!same_edns(x, y)) {
        found = "OPT";
    } else if (ldns_pkt_tc(x)) {
        found = NULL; /* what is in a truncated answer is nobody's business (RFC 2181 9) */
    } else if (!same_section(ldns_pkt_answer(x), ldns_pkt_answer(y))) {
        found = "answer section";
    } else if (!same_section(ldns_pkt_authority(x), ldns_pkt_authority(y))) {
        found = "authority section";
    } else if (!is_priming_answer(a) && !is_full(a, b) &&
               !same_section(ldns_pkt_additional(x), ldns_pkt_additional(y))) {
        found = "additional section";
    }
    ldns_pkt_free(x);
    ldns_pkt_free(y);
    return found;
}

static void print_reply(const struct server *server, const struct reply *reply)
{
    ldns_pkt *packet = NULL;
    printf("---- port %d, %zu octets\n", server->port, reply->bytes);
    if (ldns_wire2pkt(&packet, reply->octets, reply->bytes) == LDNS_STATUS_OK) {
        ldns_pkt_print(stdout, packet);
        ldns_pkt_free(packet);
    }
}

static void report(const struct comparison *comparison, unsigned slot, const char *difference)
{
    const struct question *question = &comparison->window[slot];
    ldns_pkt *packet = NULL;
    printf("==== %s differs: ", difference);
    if (ldns_wire2pkt(&packet, question->octets, question->bytes) == LDNS_STATUS_OK) {
        ldns_rr_print(stdout, ldns_rr_list_rr(ldns_pkt_question(packet), 0));
        ldns_pkt_free(packet);
    }
}

static void compare_slot(struct comparison *comparison, unsigned slot)
{
    const struct server *servers = comparison->servers;
    const struct reply *reference = &servers[0].replies[slot];
    size_t question_end = 12;
    while (comparison->window[slot].octets[question_end] != 0) {
        question_end += 1u + comparison->window[slot].octets[question_end];
    }
    question_end += 5;
    comparison->truncated += (reference->octets[2] & 2) != 0;
    for (size_t i = 1; i < comparison->server_count; i++) {
        const struct reply *reply = &servers[i].replies[slot];
        if (reply->bytes == reference->bytes &&
            memcmp(reply->octets, reference->octets, reply->bytes) == 0) {
            continue;
        }
        const char *difference = find_difference(reference, reply, question_end);
        if (difference != NULL && comparison->different++ < REPORTS_MAX) {
            report(comparison, slot, difference);
            print_reply(&servers[0], reference);
            print_reply(&servers[i], reply);
        }
    }
}

/* ---- asking ---- */

static void connect_server(struct server *server, int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server->port = port;
    server->fd = socket(AF_INET, SOCK_DGRAM, 0);
    int bytes = 1 << 20;
    if (server->fd < 0 || connect(server->fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
        die("cannot make a socket");
    }
    setsockopt(server->fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
}

/* Sends what has no reply yet; the number sent. */
static size_t send_missing(const struct comparison *comparison, struct server *server)
{
    size_t sent = 0;
    for (unsigned i = 0; i < comparison->in_window; i++) {
        if (server->replies[i].bytes == 0) {
            const struct question *question = &comparison->window[i];
            (void)!send(server->fd, question->octets, question->bytes, 0);
            sent++;
        }
    }
    return sent;
}

static void receive(const struct comparison *comparison, struct server *server, size_t missing)
{
    while (missing > 0) {
        struct pollfd polled = {.fd = server->fd, .events = POLLIN};
        uint8_t octets[REPLY_BYTES];
        ssize_t bytes = recv(server->fd, octets, sizeof(octets), MSG_DONTWAIT);
        if (bytes < 0) {
            if (poll(&polled, 1, TIMEOUT_MS) <= 0) {
                return;
            }
            continue;
        }
        unsigned slot = bytes < 12 ? WINDOW : (unsigned)(octets[0] << 8 | octets[1]);
        if (slot < comparison->in_window && server->replies[slot].bytes == 0) {
            memcpy(server->replies[slot].octets, octets, (size_t)bytes);
            server->replies[slot].bytes = (size_t)bytes;
            missing--;
        }
    }
}

static void ask_window(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->server_count; i++) {
        for (unsigned k = 0; k < WINDOW; k++) {
            comparison->servers[i].replies[k].bytes = 0;
        }
    }
    size_t missing[SERVERS_MAX] = {0};
    for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
        for (size_t i = 0; i < comparison->server_count; i++) {
            missing[i] = send_missing(comparison, &comparison->servers[i]);
        }
        for (size_t i = 0; i < comparison->server_count; i++) {
            receive(comparison, &comparison->servers[i], missing[i]);
        }
    }
    for (size_t i = 0; i < comparison->server_count; i++) {
        for (unsigned k = 0; k < comparison->in_window; k++) {
            if (comparison->servers[i].replies[k].bytes == 0) {
                fprintf(stderr, "compare_answers: no answer from port %d\n",
                        comparison->servers[i].port);
                exit(2);
            }
        }
    }
    for (unsigned k = 0; k < comparison->in_window; k++) {
        compare_slot(comparison, k);
    }
    comparison->asked += comparison->in_window;
    comparison->in_window = 0;
}

static void ask(struct comparison *comparison, const ldns_rdf *name, uint16_t type,
                const struct edns_variant *variant)
{
    unsigned id = (unsigned)comparison->in_window++;
    make_question(&comparison->window[id], id, name, type, variant,
                  variant->dnssec_ok && !comparison->is_signed);
    if (comparison->in_window == WINDOW) {
        ask_window(comparison);
    }
}

int main(int argc, char **argv)
{
    static struct comparison comparison;
    uint64_t limit = UINT64_MAX;
    int option;
    while ((option = getopt(argc, argv, "n:")) != -1) {
        if (option != 'n') {
            die("usage: [-n LIMIT] ORIGIN ZONEFILE REFERENCE_PORT PORT...");
        }
        limit = strtoull(optarg, NULL, 10);
    }
    argc -= optind;
    argv += optind;
    if (argc < 4 || argc > 2 + SERVERS_MAX) {
        die("usage: [-n LIMIT] ORIGIN ZONEFILE REFERENCE_PORT PORT...");
    }
    struct name_list names = {0};
    uint16_t types[TYPES_MAX];
    size_t type_count = read_zone(argv[0], argv[1], &names, types);
    comparison.server_count = (size_t)argc - 2;
    comparison.servers = calloc(comparison.server_count, sizeof(struct server));
    for (size_t i = 0; i < comparison.server_count; i++) {
        connect_server(&comparison.servers[i], atoi(argv[2 + i]));
    }
    const size_t variant_count = sizeof(variants) / sizeof(variants[0]);
    uint64_t total = names.count * type_count * variant_count;
    for (size_t i = 0; i < type_count; i++) {
        comparison.is_signed |= types[i] == LDNS_RR_TYPE_RRSIG;
    }
    uint64_t step = total > limit ? total / limit + 1 : 1; /* every step-th, to end in time */
    for (uint64_t i = 0; i < total; i += step) {
        ask(&comparison, names.names[i / variant_count / type_count],
            types[i / variant_count % type_count], &variants[i % variant_count]);
    }
    if (comparison.in_window > 0) {
        ask_window(&comparison);
    }
    printf("%llu questions (%zu names, %zu types), %llu truncated, %llu differences\n",
           (unsigned long long)comparison.asked, names.count, type_count,
           (unsigned long long)comparison.truncated, (unsigned long long)comparison.different);
    for (size_t i = 0; i < names.count; i++) {
        ldns_rdf_deep_free(names.names[i]);
    }
    free(names.names);
    free(comparison.servers);
    return comparison.different == 0 ? 0 : 1;
}
