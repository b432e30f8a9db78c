#include "../temporary.h"
#include "../unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/attributes.h"
#include "core/error.h"
#include "dns/wire.h"
#include "dns/zone_load.h"

#define TOP "@ 60 SOA a.test. b.test. 1 2 3 4 5\n@ 60 NS a.test.\n"

static char path[TEMPORARY_PATH_BYTES];

struct heard {
    unsigned count;
    unsigned line;
    char text[256];
};

static void hear(void *context, const struct zone_place *place, const char *text)
{
    struct heard *heard = context;
    heard->count++;
    heard->line = place->line;
    snprintf(heard->text, sizeof(heard->text), "%s", text);
}

static int load_text(const char *text, struct zone **zone, struct heard *heard, struct diag *diag)
{
    const struct zone_warning_sink sink = {.warn = hear, .context = heard};
    temporary_file(path, text);
    *heard = (struct heard){0};
    *diag = (struct diag){0};
    *zone = NULL;
    int status = zone_load("example", path, &sink, zone, diag);
    unlink(path);
    return status;
}

/* The RRset of a name in wire format, which must be there. */
static const struct zone_rrset *find(const struct zone *zone, const char *name, uint16_t type)
{
    struct name_index index;
    const uint8_t *wire = (const uint8_t *)name;
    name_index_make(&index, wire, name_length(wire));
    const struct zone_node *node = zone_find(zone, &index, 0);
    assert_non_null(node);
    const struct zone_rrset *rrset = zone_node_rrset(node, type);
    assert_non_null(rrset);
    return rrset;
}

static uint32_t ttl_of(const struct zone_rrset *rrset)
{
    const uint8_t *ttl = rrset->image + ZONE_IMAGE_TTL_OFFSET;
    return (uint32_t)wire_get_u16(ttl) << 16 | wire_get_u16(ttl + 2);
}

/* TTLs as BIND chooses them: written, $TTL's, the last written, the SOA's MINIMUM. */
static void ttls(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t ttl_s;
    } cases[] = {
        {TOP "x 7 A 192.0.2.1\n", 7},
        {TOP "x IN 8 A 192.0.2.1\n", 8},
        {TOP "x 1h30m A 192.0.2.1\n", 5400},
        {TOP "x 1W2d3H4M5s IN A 192.0.2.1\n", 788645},
        {"$TTL 9\n" TOP "x A 192.0.2.1\n", 9},
        {"$TTL 1d\n" TOP "y 3 A 192.0.2.1\nx A 192.0.2.1\n", 86400},
        {TOP "y 3 A 192.0.2.1\nx A 192.0.2.1\n", 3},
        {"@ SOA a.test. b.test. 1 2 3 4 5\n@ NS a.test.\nx A 192.0.2.1\n", 5},
        {TOP "x 4294967295 A 192.0.2.1\n", 0}, /* RFC 2181 8 */
        {TOP "x 2147483647 A 192.0.2.1\n", 2147483647},
        {TOP "x 5 A 192.0.2.1\nx 6 A 192.0.2.2\n", 5}, /* one RRset, one TTL */
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct zone *zone;
        struct heard heard;
        struct diag diag;
        assert_int_equal(load_text(cases[i].text, &zone, &heard, &diag), 0);
        assert_int_equal(ttl_of(find(zone, "\1x\7example\0", 1)), cases[i].ttl_s);
        zone_free(zone);
    }
}

static void the_structure_of_a_zone(void **state)
{
    (void)state;
    struct zone *zone;
    struct heard heard;
    struct diag diag;
    static const char text[] = TOP "a.b.ENT A 192.0.2.1\n"
                                   "*.w TXT x\n"
                                   "cut NS ns.cut\nns.cut A 192.0.2.2\n"
                                   "d DNAME e\nbelow.d A 192.0.2.3\n"
                                   "same A 192.0.2.4\nsame A 192.0.2.4\nSAME A 192.0.2.5\n";
    assert_int_equal(load_text(text, &zone, &heard, &diag), 0);
    assert_int_equal(heard.count, 1); /* TTLs that come from the record before */
    struct name_index index;
    unsigned missing;
    name_index_make(&index, (const uint8_t *)"\1x\1a\1b\3ent\7example", 19);
    const struct zone_node *encloser = zone_find_encloser(zone, &index, &missing);
    assert_int_equal(missing, 1);
    assert_int_equal(encloser->rrset_count, 1);
    assert_int_equal(encloser->parent->rrset_count, 0); /* b.ent: an empty non-terminal */
    assert_ptr_equal(encloser->parent->parent->parent, zone->apex);
    name_index_make(&index, (const uint8_t *)"\1x\1w\7example", 13);
    encloser = zone_find_encloser(zone, &index, &missing);
    assert_non_null(encloser->wildcard);
    name_index_make(&index, (const uint8_t *)"\2ns\3cut\7example", 16);
    encloser = zone_find_encloser(zone, &index, &missing);
    assert_int_equal(missing, 0);
    assert_ptr_equal(encloser->cut, encloser->parent);
    assert_ptr_equal(find(zone, "\3cut\7example", 2)->names[0].node, encloser);
    name_index_make(&index, (const uint8_t *)"\5below\1d\7example", 17);
    assert_ptr_equal(zone_find(zone, &index, 0)->dname, zone_find(zone, &index, 0)->parent);
    assert_int_equal(find(zone, "\4same\7example", 1)->rr_count, 2);
    zone_free(zone);
}

static void out_of_zone_data_is_ignored_with_a_warning(void **state)
{
    (void)state;
    struct zone *zone;
    struct heard heard;
    struct diag diag;
    assert_int_equal(load_text(TOP "x.other. 60 A 192.0.2.1\n", &zone, &heard, &diag), 0);
    assert_int_equal(heard.count, 1);
    assert_int_equal(heard.line, 3);
    assert_string_equal(heard.text, "ignoring out-of-zone data (x.other)");
    assert_int_equal(zone->rr_count, 2);
    zone_free(zone);
}

/* `line` 0: the fault is of the file as a whole. */
static void faults_have_lines(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned line;
        const char *says;
    } cases[] = {
        {"", 0, "no SOA"},
        {"x 60 A 192.0.2.1\n", 0, "no SOA"},
        {"@ 60 SOA a.test. b.test. 1 2 3 4 5\n", 0, "no NS"},
        {TOP "x 60 CNAME y\nx 60 A 192.0.2.1\n", 4, "CNAME and other data"},
        {TOP "x 60 A 192.0.2.1\n\nx 60 CNAME y\n", 5, "CNAME and other data"},
        {TOP "x 60 CNAME y\nx 60 CNAME z\n", 4, "singleton"},
        {TOP "@ 60 SOA a.test. b.test. 2 2 3 4 5\n", 3, "singleton"},
        {TOP "x 60 SOA a.test. b.test. 2 2 3 4 5\n", 3, "not at top of zone"},
        {TOP "x 60 A 192.0.2\n", 3, "; write an IPv4 address (192.0.2.1)"},
        {TOP "x 60 AAAA 192.0.2.1\n", 3, "; write an IPv6 address (2001:db8::1)"},
        {TOP "x 60 SOA a.test.\n", 3, "; write primary, mailbox, serial, refresh, retry"},
        {TOP "x 60 SRV 1 2 x\n", 3, "; write priority, weight, port and server"},
        {TOP "x 60 CAA issue\n", 3, "; write flags, tag and value"},
        {TOP "x 60 X25 \n", 3, "; write its data, or \\# LENGTH"},
        {TOP "x 60 A 192.0.2.256\n", 3, "bad data for type A"},
        {TOP "x 60 MX mail\n", 3, "bad data for type MX"},
        {TOP "x 60 NOSUCHTYPE y\n", 3, "TYPE and its number"},
        {TOP "x 60 ANY y\n", 3, "stands in messages only"},
        {TOP "x 60 CH A 192.0.2.1\n", 3, "class 'CH'"},
        {TOP "x 60\n", 3, "unexpected end of line"},
        {TOP "x..y 60 A 192.0.2.1\n", 3, "labels have 1 to 63 octets"},
        {" 60 A 192.0.2.1\n", 1, "no current owner"},
        {"x A 192.0.2.1\n", 1, "no TTL"},
        {"$TTL forever\n", 1, "$TTL needs"},
        {"$ORIGIN\n", 1, "$ORIGIN needs"},
        {"$FOO bar\n", 1, "unknown $ directive"},
        {"$GENERATE 3-1 a$ A 192.0.2.$\n", 1, "invalid range"},
        {"$GENERATE 1-3 a${x A 192.0.2.$\n", 1, "syntax error"},
        {TOP "x 60 TYPE65280 \\# 3 abcd\n", 3, "fewer octets"},
        {TOP "x 60 TYPE65280 \\# 1 abcd\n", 3, "more octets"},
        {TOP "x 60 TYPE65280 \\# 1 xy\n", 3, "hex digit"},
        {TOP "x 60 TYPE1 \\# 3 010203\n", 3, "malformed data"},
        {TOP "x 60 TYPE2 \\# 2 0161\n", 3, "malformed data"},
        {TOP "@ 60 NS ns.example.\n", 3, "no address"},
        {TOP "@ 60 DS 1 13 2 0123456789abcdef0123456789abcdef"
             "0123456789abcdef0123456789abcdef\n",
         3, "DS record at top"},
        {TOP "*.x 60 NS a.test.\n", 3, "NS record at a wildcard"},
        {TOP "@ 60 NS ns\n@ 60 DNAME other.test.\n", 3, "below a DNAME"},
        {TOP "d 60 DNAME other.test.\n@ 60 NS ns.d\nns.d 60 A 192.0.2.1\n", 4, "below a DNAME"},
        {"$TTL 5 6\n", 1, "extra input text '6'"},
        {"$ORIGIN a b\n", 1, "extra input text 'b'"},
        {"$INCLUDE /dev/null a b\n", 1, "extra input text 'b'"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct zone *zone;
        struct heard heard;
        struct diag diag;
        char place[128];
        int status = load_text(cases[i].text, &zone, &heard, &diag);
        print_message("%s\n", diag.message);
        assert_int_equal(status, ERR_SYNTAX);
        assert_null(zone);
        snprintf(place, sizeof(place), cases[i].line > 0 ? "%s:%u: " : "%s: ", path, cases[i].line);
        assert_memory_equal(diag.message, place, strlen(place));
        assert_non_null(strstr(diag.message, cases[i].says));
    }
}

/* Data that ldns would take for something else without a word: the place and the word are named. */
static void data_is_never_changed_silently(void **state)
{
    (void)state;
    static const struct {
        const char *data;
        const char *says;
    } cases[] = {
        {"MX 65536 a", "'65536' is not a number from 0 to 65535; write preference"},
        {"MX -1 a", "'-1' is not"},
        {"SRV 0 5 65536 a", "'65536' is not"},
        {"CAA 256 issue \"a\"", "'256' is not a number from 0 to 255"},
        {"TLSA 256 1 1 ab", "'256' is not a mnemonic"},
        {"SOA a. b. 4294967296 2 3 4 5", "'4294967296' is not a number from 0 to 4294967295"},
        {"SOA a. b. 1 4294967296 3 4 5", "'4294967296' is not seconds or a time"},
        {"DNSKEY 65536 3 13 AAAA", "'65536' is not"},
        {"DS 1 256 2 ab", "'256' is not"},
        {"NSEC y NOSUCHTYPE", "'NOSUCHTYPE' is not a type"},
        {"RRSIG NOSUCHTYPE 13 2 5 20300101000000 20200101000000 1 t. AAAA", "is not a type"},
        {"TYPE65536 \\# 0", "unknown RR type 'TYPE65536'"},
        {"TYPE0 \\# 0", "unknown RR type 'TYPE0'"},
        {"HTTPS 1 . port=65536", "'port=65536' is not a port"},
        {"SVCB 1 . alpn=h2 alpn=h3", "malformed data"},
        {"SVCB 1 . alpn=\"a\\\\,b\"", "without escapes"},
        {"LOC 91 0 0 N 0 0 0 E 0m", "malformed data"},
        {"DS 1 13 2 abcd", "malformed data"},
        {"DS 1 13 4 2bb183af5f22588179a53b0a98631fad1a292118", "malformed data"},
        {"SSHFP 4 2 abcd", "malformed data"},
        {"TXT \\# 2 0261", "malformed data for type TXT"},
        {"TXT \\# 0", "malformed data"},
        {"HINFO \\# 2 0161", "malformed data"},
        {"DS \\# 3 000000", "malformed data"},
        {"LOC \\# 3 000000", "malformed data"},
        {"SVCB \\# 2 0000", "malformed data"},
        {"SVCB \\# 5 0000000001", "malformed data"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct zone *zone;
        struct heard heard;
        struct diag diag;
        char text[256];
        snprintf(text, sizeof(text), TOP "x 60 %s\n", cases[i].data);
        int status = load_text(text, &zone, &heard, &diag);
        print_message("%s\n", diag.message);
        assert_int_equal(status, ERR_SYNTAX);
        assert_non_null(strstr(diag.message, ":3: "));
        assert_non_null(strstr(diag.message, cases[i].says));
    }
}

/* The other side: data at the limits, and forms that are seldom, are taken. */
static void odd_but_right_data_is_taken(void **state)
{
    (void)state;
    static const struct {
        const char *data;
        uint16_t type;
        const char *rdata;
        size_t bytes;
    } cases[] = {
        {"MX 65535 .", 15, "\377\377", 3},
        {"CAA 0 issue ca", 257, "\0\5issueca", 9},
        {"CAA 255 issue \"\"", 257, "\377\5issue", 7},
        {"CAA \\# 3 000161", 257, "\0\1a", 3},
        {"LOC 90 0 0 S 180 0 0 W 0m 0m 0m 0m", 29,
         "\0\0\0\0\154\260\47\0\131\140\116\0\0\230\226\200", 16},
        {"NULL \\# 0", 10, "", 0},
        {"TYPE65535 \\# 0", 65535, "", 0},
        {"SSHFP 4 9 abcd", 44, "\4\11\253\315", 4},
        {"HTTPS 1 . port=\"443\" alpn=h2", 65, "\0\1\0\0\1\0\3\2h2\0\3\0\2\1\273", 16},
        {"SVCB 0 .", 64, "\0\0", 3},
        {"DS 1 13 1 2bb183af5f22588179a5 3b0a98631fad1a292118", 43,
         "\0\1\15\1\53\261\203\257\137\42\130\201\171\245\73\12\230\143\37\255\32\51\41\30", 24},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct zone *zone;
        struct heard heard;
        struct diag diag;
        char text[256];
        snprintf(text, sizeof(text), TOP "x 60 %s\n", cases[i].data);
        int status = load_text(text, &zone, &heard, &diag);
        print_message("%s: %s\n", cases[i].data, diag.message);
        assert_int_equal(status, 0);
        const struct zone_rrset *rrset = find(zone, "\1x\7example\0", cases[i].type);
        assert_int_equal(rrset->image_bytes, ZONE_IMAGE_FIXED_BYTES + cases[i].bytes);
        assert_memory_equal(rrset->image + ZONE_IMAGE_FIXED_BYTES, cases[i].rdata, cases[i].bytes);
        zone_free(zone);
    }
}

/* A zone whose only other record is a TXT of `count` strings of 255 octets. */
static int load_strings(unsigned count, bool as_one_record, struct zone **zone, struct diag *diag)
{
    struct heard heard;
    char *text;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    fputs(TOP "x 60 TXT (", stream);
    for (unsigned i = 0; i < count; i++) {
        fprintf(stream, as_one_record || i == 0 ? " \"%0255u\"" : ")\nx 60 TXT ( \"%0255u\"", i);
    }
    fputs(" )\n", stream);
    assert_int_equal(fclose(stream), 0);
    int status = load_text(text, zone, &heard, diag);
    free(text);
    return status;
}

/* RDLENGTH and the length of a message have 16 bits. */
static void what_no_message_holds_is_refused(void **state)
{
    (void)state;
    struct zone *zone;
    struct diag diag;
    assert_int_equal(load_strings(254, true, &zone, &diag), 0);
    assert_int_equal(find(zone, "\1x\7example\0", 16)->image_bytes,
                     ZONE_IMAGE_FIXED_BYTES + 254 * 256);
    zone_free(zone);
    assert_int_equal(load_strings(257, true, &zone, &diag), ERR_SYNTAX);
    assert_non_null(strstr(diag.message, ":3: bad data for type TXT: more than"));
    /* Of 256 octets each, 256 are one too many. */
    assert_int_equal(load_strings(255, false, &zone, &diag), 0);
    assert_int_equal(find(zone, "\1x\7example\0", 16)->rr_count, 255);
    zone_free(zone);
    assert_int_equal(load_strings(256, false, &zone, &diag), ERR_SYNTAX);
    assert_non_null(strstr(diag.message, "octets of data together"));
}

static void generic_data_is_as_good_as_the_types_own(void **state)
{
    (void)state;
    struct zone *zone;
    struct heard heard;
    struct diag diag;
    assert_int_equal(
        load_text(TOP "x 60 TYPE1 \\# 4 C0 0002 01\nx 60 A 192.0.2.1\n", &zone, &heard, &diag), 0);
    const struct zone_rrset *rrset = find(zone, "\1x\7example\0", 1);
    assert_int_equal(rrset->rr_count, 1);
    assert_memory_equal(rrset->image + ZONE_IMAGE_FIXED_BYTES, "\300\0\2\1", 4);
    zone_free(zone);
}

/* RFC 1035 5.1: behind $INCLUDE the origin is what it was; a file may not include itself. */
static void includes(void **state)
{
    (void)state;
    char inner[TEMPORARY_PATH_BYTES];
    char text[512];
    struct zone *zone;
    struct heard heard;
    struct diag diag;
    temporary_file(inner, "$ORIGIN deep\ny 60 A 192.0.2.1\n");
    snprintf(text, sizeof(text), TOP "$INCLUDE %s sub\nx 60 A 192.0.2.1\n", inner);
    assert_int_equal(load_text(text, &zone, &heard, &diag), 0);
    (void)find(zone, "\1y\4deep\3sub\7example\0", 1);
    (void)find(zone, "\1x\7example\0", 1);
    zone_free(zone);
    FILE *more = fopen(inner, "a");
    assert_non_null(more);
    fprintf(more, "$INCLUDE %s\n", inner);
    fclose(more);
    assert_int_equal(load_text(text, &zone, &heard, &diag), ERR_SYNTAX);
    assert_non_null(strstr(diag.message, "include each other"));
    unlink(inner);
    assert_int_equal(load_text(text, &zone, &heard, &diag), ERR_SYSTEM);
    assert_non_null(strstr(diag.message, ":3: $INCLUDE of '/tmp/dnscope-test."));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ttls),
        cmocka_unit_test(the_structure_of_a_zone),
        cmocka_unit_test(out_of_zone_data_is_ignored_with_a_warning),
        cmocka_unit_test(faults_have_lines),
        cmocka_unit_test(data_is_never_changed_silently),
        cmocka_unit_test(odd_but_right_data_is_taken),
        cmocka_unit_test(what_no_message_holds_is_refused),
        cmocka_unit_test(generic_data_is_as_good_as_the_types_own),
        cmocka_unit_test(includes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
