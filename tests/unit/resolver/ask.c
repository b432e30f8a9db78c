#include "ask.h"

#include <ldns/ldns.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../temporary.h"
#include "../unit.h"
#include "answer.h"
#include "dns/zone_load.h"

static void fail_on_warning(void *context, const struct zone_place *place, const char *text)
{
    (void)context;
    fail_msg("unexpected warning at line %u: %s", place->line, text);
}

void ask_add_zone(struct zone_set *zones, const char *origin, const char *text)
{
    char path[TEMPORARY_PATH_BYTES];
    temporary_file(path, text);
    const struct zone_warning_sink sink = {.warn = fail_on_warning};
    struct diag diag = {0};
    struct zone *zone = NULL;
    int status = zone_load(origin, path, &sink, &zone, &diag);
    unlink(path);
    if (status != 0) {
        fail_msg("%s", diag.message);
    }
    assert_int_equal(zone_set_add(zones, zone), 0);
}

size_t ask_build(const struct ask *ask, uint8_t query[512])
{
    ldns_rdf *name = ldns_dname_new_frm_str(ask->name);
    assert_non_null(name);
    const uint8_t header[] = {0x12, 0x34, 0x01, 0, 0, 1, 0, 0, 0, 0, 0, ask->edns_bytes > 0};
    size_t at = sizeof(header);
    memcpy(query, header, at);
    memcpy(query + at, ldns_rdf_data(name), ldns_rdf_size(name));
    at += ldns_rdf_size(name);
    ldns_rdf_deep_free(name);
    const uint8_t question[] = {(uint8_t)(ask->type >> 8), (uint8_t)ask->type, 0, 1};
    memcpy(query + at, question, sizeof(question));
    at += sizeof(question);
    if (ask->edns_bytes > 0) {
        const uint8_t opt[] = {
            0, 0, 41, (uint8_t)(ask->edns_bytes >> 8), (uint8_t)ask->edns_bytes, 0, 0, 0, 0, 0, 0};
        memcpy(query + at, opt, sizeof(opt));
        at += sizeof(opt);
    }
    return at;
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void list_section(const ldns_rr_list *list, char out[4096])
{
    char *lines[64];
    size_t count = ldns_rr_list_rr_count(list);
    assert_in_range(count, 0, 63);
    for (size_t i = 0; i < count; i++) {
        ldns_rr *rr = ldns_rr_clone(ldns_rr_list_rr(list, i));
        ldns_rr2canonical(rr);
        lines[i] = ldns_rr2str(rr);
        ldns_rr_free(rr);
    }
    qsort(lines, count, sizeof(lines[0]), compare_lines);
    out[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        char *class = strstr(lines[i], "\tIN\t");
        assert_non_null(class);
        strcat(strncat(out, lines[i], (size_t)(class - lines[i])), class + 3);
        free(lines[i]);
    }
    for (char *at = out; *at != '\0'; at++) {
        *at = *at == '\t' ? ' ' : *at;
    }
}

void ask_server(const struct zone_set *zones, const struct ask *ask, struct told *told)
{
    uint8_t query[512];
    uint8_t out[ANSWER_MAX_BYTES];
    size_t query_bytes = ask_build(ask, query);
    told->bytes = answer(zones, query, query_bytes, out);
    assert_true(told->bytes >= 12);
    /* ID, QR, opcode; and the question as it was asked, case and all. */
    assert_memory_equal(out, query, 2);
    assert_int_equal(out[2] & 0xf8, 0x80);
    size_t question_bytes = query_bytes - (ask->edns_bytes > 0 ? 11 : 0);
    assert_memory_equal(out + 12, query + 12, question_bytes - 12);
    ldns_pkt *packet = NULL;
    assert_int_equal(ldns_wire2pkt(&packet, out, told->bytes), LDNS_STATUS_OK);
    assert_int_equal(ldns_pkt_edns(packet), ask->edns_bytes > 0);
    told->rcode = ldns_pkt_get_rcode(packet);
    snprintf(told->flags, sizeof(told->flags), "%s%s", ldns_pkt_aa(packet) ? "aa" : "",
             ldns_pkt_tc(packet) ? "tc" : "");
    list_section(ldns_pkt_answer(packet), told->answer);
    list_section(ldns_pkt_authority(packet), told->authority);
    list_section(ldns_pkt_additional(packet), told->additional);
    ldns_pkt_free(packet);
}
