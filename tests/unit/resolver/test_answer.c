#include "../unit.h"

#include <stdio.h>
#include <string.h>

#include "answer.h"
#include "ask.h"
#include "core/attributes.h"
#include "dns/protocol.h"

#define SOA_TEXT "ns.example.com. hostmaster.example. 1 7200 3600 604800 900"
#define NEGATIVE "example. 900 SOA " SOA_TEXT "\n"

/* RFC 4592 2.2.1, with the RDATA that it leaves open. */
static const char wildcard_zone[] =
    "$ORIGIN example.\n"
    "example.                 3600 IN  SOA   " SOA_TEXT "\n"
    "example.                 3600     NS    ns.example.com.\n"
    "example.                 3600     NS    ns.example.net.\n"
    "*.example.               3600     TXT   \"this is a wildcard\"\n"
    "*.example.               3600     MX    10 host1.example.\n"
    "sub.*.example.           3600     TXT   \"this is not a wildcard\"\n"
    "host1.example.           3600     A     192.0.2.1\n"
    "_ssh._tcp.host1.example. 3600     SRV   0 0 22 host1.example.\n"
    "_ssh._tcp.host2.example. 3600     SRV   0 0 22 host2.example.\n"
    "subdel.example.          3600     NS    ns.example.com.\n"
    "subdel.example.          3600     NS    ns.example.net.\n";

/* RFC 1034 6.1: the root zone of the examples. */
static const char root_zone[] =
    "$TTL 86400\n"
    ".  IN SOA SRI-NIC.ARPA. HOSTMASTER.SRI-NIC.ARPA. (870611 1800 300 604800 86400)\n"
    "   NS A.ISI.EDU.\n"
    "   NS C.ISI.EDU.\n"
    "   NS SRI-NIC.ARPA.\n"
    "MIL. 86400 NS SRI-NIC.ARPA.\n"
    "     86400 NS A.ISI.EDU.\n"
    "EDU. 86400 NS SRI-NIC.ARPA.\n"
    "     86400 NS C.ISI.EDU.\n"
    "SRI-NIC.ARPA. A 26.0.0.73\n"
    "   A 10.0.0.51\n"
    "   MX 0 SRI-NIC.ARPA.\n"
    "   HINFO DEC-2060 TOPS20\n"
    "ACC.ARPA. A 26.6.0.65\n"
    "   HINFO PDP-11/70 UNIX\n"
    "   MX 10 ACC.ARPA.\n"
    "USC-ISIC.ARPA. CNAME C.ISI.EDU.\n"
    "A.ISI.EDU. 86400 A 26.3.0.103\n"
    "C.ISI.EDU. 86400 A 10.0.0.52\n";

/* Sections are joined in this order: answer, authority, additional. */
struct expectation {
    struct ask ask;
    unsigned rcode;
    const char *flags;
    const char *answer;
    const char *authority;
    const char *additional;
};

static void check(const char *origin, const char *zone, const struct expectation *cases,
                  size_t count)
{
    struct zone_set *zones = zone_set_create();
    assert_non_null(zones);
    ask_add_zone(zones, origin, zone);
    for (size_t i = 0; i < count; i++) {
        struct told told;
        ask_server(zones, &cases[i].ask, &told);
        print_message("%s type %u\n", cases[i].ask.name, cases[i].ask.type);
        assert_int_equal(told.rcode, cases[i].rcode);
        assert_string_equal(told.flags, cases[i].flags);
        assert_string_equal(told.answer, cases[i].answer);
        assert_string_equal(told.authority, cases[i].authority);
        assert_string_equal(told.additional, cases[i].additional);
    }
    zone_set_free(zones);
}

/* The answers that RFC 4592 2.2.1 lists. */
static void wildcards(void **state)
{
    (void)state;
    static const char referral[] =
        "subdel.example. 3600 NS ns.example.com.\nsubdel.example. 3600 NS ns.example.net.\n";
    static const struct expectation cases[] = {
        /* Synthesized from the wildcard. */
        {{"host3.example.", 15, 0}, 0, "aa", "host3.example. 3600 MX 10 host1.example.\n", "", ""},
        {{"host3.example.", 1, 0}, 0, "aa", "", NEGATIVE, ""},
        {{"foo.bar.example.", 16, 0},
         0,
         "aa",
         "foo.bar.example. 3600 TXT \"this is a wildcard\"\n",
         "",
         ""},
        /* Not synthesized: the name or something in between exists. */
        {{"host1.example.", 15, 0}, 0, "aa", "", NEGATIVE, ""},
        {{"sub.*.example.", 15, 0}, 0, "aa", "", NEGATIVE, ""},
        {{"_telnet._tcp.host1.example.", 33, 0}, 3, "aa", "", NEGATIVE, ""},
        {{"host.subdel.example.", 1, 0}, 0, "", "", referral, ""},
        {{"ghost.*.example.", 15, 0}, 3, "aa", "", NEGATIVE, ""},
        /* 2.2.3, 4.1: empty non-terminals exist; the wildcard's own name is a name. */
        {{"_tcp.host2.example.", 1, 0}, 0, "aa", "", NEGATIVE, ""},
        {{"host2.example.", 15, 0}, 0, "aa", "", NEGATIVE, ""},
        {{"*.example.", 15, 0}, 0, "aa", "*.example. 3600 MX 10 host1.example.\n", "", ""},
    };
    check("example.", wildcard_zone, cases, ARRAY_LENGTH(cases));
}

/* RFC 1034 6.2, without the additional data that RFC 9471 and minimal responses leave out. */
static void standard_queries(void **state)
{
    (void)state;
    static const char soa[] =
        ". 86400 SOA sri-nic.arpa. hostmaster.sri-nic.arpa. 870611 1800 300 604800 86400\n";
    static const char addresses[] =
        "sri-nic.arpa. 86400 A 10.0.0.51\nsri-nic.arpa. 86400 A 26.0.0.73\n";
    static const struct expectation cases[] = {
        {{"SRI-NIC.ARPA.", 1, 0}, 0, "aa", addresses, "", ""}, /* 6.2.1 */
        {{"SRI-NIC.ARPA.", 255, 0},
         0,
         "aa", /* 6.2.2 */
         "sri-nic.arpa. 86400 A 10.0.0.51\nsri-nic.arpa. 86400 A 26.0.0.73\n"
         "sri-nic.arpa. 86400 HINFO \"DEC-2060\" \"TOPS20\"\n"
         "sri-nic.arpa. 86400 MX 0 sri-nic.arpa.\n",
         "",
         ""},
        {{"SRI-NIC.ARPA.", 15, 0},
         0,
         "aa",
         "sri-nic.arpa. 86400 MX 0 sri-nic.arpa.\n",
         "",
         ""},                                            /* 6.2.3 */
        {{"SRI-NIC.ARPA.", 2, 0}, 0, "aa", "", soa, ""}, /* 6.2.4 */
        {{"SIR-NIC.ARPA.", 1, 0}, 3, "aa", "", soa, ""}, /* 6.2.5 */
        {{"BRL.MIL.", 1, 0},
         0,
         "",
         "", /* 6.2.6 */
         "mil. 86400 NS a.isi.edu.\nmil. 86400 NS sri-nic.arpa.\n",
         "a.isi.edu. 86400 A 26.3.0.103\n"},
        {{"USC-ISIC.ARPA.", 1, 0},
         0,
         "aa",
         "usc-isic.arpa. 86400 CNAME c.isi.edu.\n",
         "edu. 86400 NS c.isi.edu.\nedu. 86400 NS sri-nic.arpa.\n",
         "c.isi.edu. 86400 A 10.0.0.52\n"}, /* 6.2.7: the alias leads into a delegated zone */
        {{"USC-ISIC.ARPA.", 5, 0},
         0,
         "aa",
         "usc-isic.arpa. 86400 CNAME c.isi.edu.\n",
         "",
         ""}, /* 6.2.8 */
    };
    check(".", root_zone, cases, ARRAY_LENGTH(cases));
}

/* RFC 2308 2 and 5: the SOA's TTL in a negative answer is the lesser of its own and MINIMUM. */
static void negative_ttl(void **state)
{
    (void)state;
    static const char small_ttl[] = "$TTL 60\n@ SOA a.test. b.test. 1 2 3 4 3600\n@ NS a.test.\n";
    static const char small_minimum[] =
        "$TTL 3600\n@ SOA a.test. b.test. 1 2 3 4 50\n@ NS a.test.\n";
    static const struct expectation by_ttl[] = {
        {{"x.example.", 1, 0}, 3, "aa", "", "example. 60 SOA a.test. b.test. 1 2 3 4 3600\n", ""},
        {{"example.", 1, 0}, 0, "aa", "", "example. 60 SOA a.test. b.test. 1 2 3 4 3600\n", ""},
        {{"example.", 6, 0}, 0, "aa", "example. 60 SOA a.test. b.test. 1 2 3 4 3600\n", "", ""},
    };
    static const struct expectation by_minimum[] = {
        {{"x.example.", 1, 0}, 3, "aa", "", "example. 50 SOA a.test. b.test. 1 2 3 4 50\n", ""},
        {{"example.", 6, 0}, 0, "aa", "example. 3600 SOA a.test. b.test. 1 2 3 4 50\n", "", ""},
    };
    check("example.", small_ttl, by_ttl, ARRAY_LENGTH(by_ttl));
    check("example.", small_minimum, by_minimum, ARRAY_LENGTH(by_minimum));
}

/* RFC 6672 2.2, 3.1 and 5.2 (its example of a name that grows too long). */
static void dname(void **state)
{
    (void)state;
    static const char zone[] = "$TTL 60\n@ SOA a.test. b.test. 1 2 3 4 5\n@ NS a.test.\n"
                               "d DNAME t\nd TXT \"own\"\nx.t A 192.0.2.1\nout DNAME elsewhere.\n";
    static const char soa[] = "example. 5 SOA a.test. b.test. 1 2 3 4 5\n";
    static const struct expectation cases[] = {
        {{"X.d.example.", 1, 0},
         0,
         "aa",
         "d.example. 60 DNAME t.example.\nx.d.example. 60 CNAME x.t.example.\n"
         "x.t.example. 60 A 192.0.2.1\n",
         "",
         ""},
        {{"d.example.", 16, 0}, 0, "aa", "d.example. 60 TXT \"own\"\n", "", ""},
        {{"d.example.", 1, 0}, 0, "aa", "", soa, ""},
        {{"y.d.example.", 1, 0},
         3,
         "aa",
         "d.example. 60 DNAME t.example.\ny.d.example. 60 CNAME y.t.example.\n",
         soa,
         ""},
        {{"a.b.out.example.", 1, 0},
         0,
         "aa",
         "a.b.out.example. 60 CNAME a.b.elsewhere.\nout.example. 60 DNAME elsewhere.\n",
         "",
         ""},
    };
    check("example.", zone, cases, ARRAY_LENGTH(cases));
}

/* A response keeps to 512 octets without EDNS (RFC 1035 4.2.1), to the client's size or 1232 with,
 * and an RRset is in it whole or not at all (RFC 2181 9). */
static void truncation(void **state)
{
    (void)state;
    char zone[8192];
    size_t at = (size_t)sprintf(zone, "$TTL 60\n@ SOA a.test. b.test. 1 2 3 4 5\n@ NS a.test.\n");
    for (unsigned i = 0; i < 60; i++) { /* 30 + 60 * 16 octets, OPT 11 */
        at += (size_t)sprintf(zone + at, "many A 192.0.2.%u\n", i);
    }
    struct zone_set *zones = zone_set_create();
    ask_add_zone(zones, "example.", zone);
    static const struct {
        uint16_t edns_bytes;
        bool is_whole;
    } cases[] = {{0, false},   {512, false},  {100, false},
                 {1001, true}, {1000, false}, {65535, true}};
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct told told;
        const struct ask ask = {"many.example.", 1, cases[i].edns_bytes};
        ask_server(zones, &ask, &told);
        assert_string_equal(told.flags, cases[i].is_whole ? "aa" : "aatc");
        assert_int_equal(strlen(told.answer) > 0, cases[i].is_whole);
        assert_true(!cases[i].is_whole || told.bytes == 30 + 60 * 16 + 11);
    }
    zone_set_free(zones);
}

/* What the zones are not asked for: octets in, header's third and fourth octets and size out. */
static void odd_messages(void **state)
{
    (void)state;
#define QUESTION "\7example\0\0\1\0\1"
#define OPT      "\0\0\51\4\320"
    static const struct {
        const char *octets;
        size_t bytes;
        size_t answer_bytes;
        uint8_t flags[2];
    } cases[] = {
        {"", 0, 0, {0, 0}},
        {"\0\1\0\0\0\1\0\0\0\0\0", 11, 0, {0, 0}},              /* no header */
        {"\0\1\200\0\0\1\0\0\0\0\0\0" QUESTION, 25, 0, {0, 0}}, /* a response */
        {"\0\1\0\0\0\0\0\0\0\0\0\0", 12, 12, {0x80, 1}},        /* no question */
        {"\0\1\1\0\0\1\0\0\0\0\0\0", 12, 12, {0x81, 1}},        /* question missing */
        {"\0\1\0\0\0\2\0\0\0\0\0\0" QUESTION QUESTION, 38, 12, {0x80, 1}},
        {"\0\1\0\0\0\1\0\0\0\0\0\0" QUESTION "junk", 29, 69, {0x84, 0}},    /* trailing octets */
        {"\0\1\20\0\0\1\0\0\0\0\0\0" QUESTION, 25, 12, {0x90, 4}},          /* opcode STATUS */
        {"\0\1\0\0\0\1\0\0\0\0\0\0\7example\0\0\1\0\3", 25, 25, {0x80, 5}}, /* class CH */
        {"\0\1\0\0\0\1\0\0\0\0\0\0\4else\0\0\1\0\1", 22, 22, {0x80, 5}},    /* not our zone */
        {"\0\1\0\0\0\1\0\0\0\0\0\0\300\14\0\1\0\1", 18, 12, {0x80, 1}},     /* pointer to itself */
        {"\0\1\0\0\0\1\0\0\0\0\0\1" QUESTION OPT "\0\1\0\0\0\0", 36, 36, {0x80, 0}}, /* BADVERS */
        {"\0\1\0\0\0\1\0\0\0\0\0\2" QUESTION OPT "\0\0\0\0\0\0" OPT "\0\0\0\0\0\0",
         47,
         25,
         {0x80, 1}}, /* two OPTs (RFC 6891 6.1.1) */
        {"\0\1\0\0\0\1\0\0\0\0\0\1" QUESTION OPT "\0\0\0\0\0\3\0\3\0", 39, 25, {0x80, 1}},
        {"\0\1\0\0\0\1\0\0\0\0\0\1" QUESTION, 25, 25, {0x80, 1}}, /* a record is missing */
        /* Other opcodes: readable at all? EDNS's version? Only then the opcode; RD and CD go. */
        {"\0\1\21\20\0\1\0\0\0\0\0\1" QUESTION, 25, 12, {0x90, 1}},
        {"\0\1\20\0\0\1\0\0\0\0\0\0", 12, 12, {0x90, 1}},
        {"\0\1\21\20\0\1\0\0\0\0\0\1" QUESTION OPT "\0\0\0\0\0\0", 36, 23, {0x90, 4}},
        {"\0\1\20\0\0\1\0\0\0\0\0\1" QUESTION OPT "\0\1\0\0\0\0", 36, 23, {0x90, 0}},
        {"\0\1\20\0\0\1\0\0\0\0\0\0\7example\0\0\1\0\377", 25, 12, {0x90, 1}}, /* ANY */
        {"\0\1\0\0\0\0\0\0\0\0\0\1" OPT "\0\1\0\0\0\0", 23, 23, {0x80, 0}},    /* BADVERS first */
        {"\0\1\0\0\0\0\0\0\0\0\0\1" OPT "\0\0\0\0\0\0", 23, 23, {0x80, 1}},
        /* A record of another class than the question's */
        {"\0\1\0\0\0\1\0\0\0\0\0\1" QUESTION "\0\0\1\0\377\0\0\0\0\0\0", 36, 25, {0x80, 1}},
    };
    struct zone_set *zones = zone_set_create();
    ask_add_zone(zones, "example.", "@ 60 SOA a.test. b.test. 1 2 3 4 5\n@ 60 NS a.test.\n");
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        uint8_t out[ANSWER_MAX_BYTES];
        print_message("case %zu\n", i);
        assert_int_equal(answer(zones, (const uint8_t *)cases[i].octets, cases[i].bytes, out),
                         cases[i].answer_bytes);
        if (cases[i].answer_bytes > 0) {
            assert_memory_equal(out, cases[i].octets, 2);
            assert_memory_equal(out + 2, cases[i].flags, 2);
        }
    }
    zone_set_free(zones);
}

/* No octets crash it: each query cut at every octet, and every octet set to many values. */
static void mutations(void **state)
{
    (void)state;
    struct zone_set *zones = zone_set_create();
    ask_add_zone(zones, "example.", wildcard_zone);
    static const struct ask asks[] = {
        {"foo.bar.example.", 16, 1232}, {"host.subdel.example.", 1, 0}, {"example.", 2, 512}};
    for (size_t i = 0; i < ARRAY_LENGTH(asks); i++) {
        uint8_t query[512];
        uint8_t out[ANSWER_MAX_BYTES];
        size_t bytes = ask_build(&asks[i], query);
        for (size_t at = 0; at < bytes; at++) {
            assert_true(answer(zones, query, at, out) <= ANSWER_MAX_BYTES);
            uint8_t kept = query[at];
            for (unsigned value = 0; value < 256; value++) {
                query[at] = (uint8_t)value;
                assert_true(answer(zones, query, bytes, out) <= ANSWER_MAX_BYTES);
            }
            query[at] = kept;
        }
    }
    zone_set_free(zones);
}

/* Delegated and served here: the child answers, but for the DS (RFC 4035 3.1.4.1). */
static void parent_and_child(void **state)
{
    (void)state;
    struct zone_set *zones = zone_set_create();
    struct told told;
    ask_add_zone(zones, "example.",
                 "$TTL 60\n@ SOA a.test. b.test. 1 2 3 4 5\n@ NS a.test.\nc NS a.test.\n"
                 "c DS 1 13 2 "
                 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n");
    ask_add_zone(zones, "c.example.",
                 "$TTL 60\n@ SOA a.test. b.test. 2 2 3 4 5\n@ NS a.test.\n@ A 192.0.2.1\n");
    ask_server(zones, &(struct ask){"c.example.", 1, 0}, &told);
    assert_string_equal(told.answer, "c.example. 60 A 192.0.2.1\n");
    ask_server(zones, &(struct ask){"c.example.", DNS_TYPE_DS, 0}, &told);
    assert_string_equal(told.answer,
                        "c.example. 60 DS 1 13 2 "
                        "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n");
    assert_string_equal(told.flags, "aa");
    ask_server(zones, &(struct ask){"x.c.example.", DNS_TYPE_DS, 0}, &told);
    assert_string_equal(told.authority, "c.example. 5 SOA a.test. b.test. 2 2 3 4 5\n");
    zone_set_free(zones);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wildcards),        cmocka_unit_test(standard_queries),
        cmocka_unit_test(negative_ttl),     cmocka_unit_test(dname),
        cmocka_unit_test(truncation),       cmocka_unit_test(odd_messages),
        cmocka_unit_test(parent_and_child), cmocka_unit_test(mutations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
