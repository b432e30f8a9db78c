#include "../unit.h"

#include <string.h>

#include "core/attributes.h"
#include "core/error.h"
#include "sweep/probe.h"

/* RFC 1035 4.1: ID 0x1234, RD=0, one question: a.example. SOA IN. */
static const uint8_t query[] = {
    0x12, 0x34, 0, 0,   0,   1,   0,   0,   0,   0,   0, 0, /* header */
    1,    'a',  7, 'e', 'x', 'a', 'm', 'p', 'l', 'e', 0,    /* name */
    0,    6,    0, 1,                                       /* SOA IN */
};

static void asks_for_the_soa(void **state)
{
    (void)state;
    struct probe probe;
    struct diag diag = {0};
    assert_int_equal(probe_make("a.example.", 0x1234, &probe, &diag), 0);
    assert_int_equal(probe.size, sizeof(query));
    assert_memory_equal(probe.query, query, sizeof(query));
    assert_int_equal(probe_make("a..example.", 1, &probe, &diag), ERR_SYNTAX);
    assert_non_null(strstr(diag.message, "a..example."));
}

static void judges_answers(void **state)
{
    (void)state;
    static const struct {
        uint16_t id;
        uint16_t flags;
        uint16_t questions;
        uint16_t answers;
        char letter; /* of the name in the question */
        size_t size; /* octets that arrive; 0: all */
        enum probe_verdict verdict;
    } cases[] = {
        {0x1234, 0x8400, 1, 1, 'a', 0, PROBE_RIGHT},
        {0x1234, 0x8480, 1, 1, 'a', 0, PROBE_RIGHT},   /* RA */
        {0x1234, 0x8000, 1, 1, 'a', 0, PROBE_FOREIGN}, /* not authoritative */
        {0x1234, 0x8405, 1, 0, 'a', 0, PROBE_FOREIGN}, /* REFUSED */
        {0x1234, 0x8002, 1, 0, 'a', 0, PROBE_LOADING}, /* SERVFAIL */
        {0x1234, 0x8400, 1, 0, 'a', 0, PROBE_FOREIGN}, /* no SOA there */
        {0x1234, 0x0400, 1, 1, 'a', 0, PROBE_NOISE},   /* a query */
        {0x1235, 0x8400, 1, 1, 'a', 0, PROBE_NOISE},   /* for somebody else */
        {0x1234, 0x8400, 1, 1, 'b', 0, PROBE_NOISE},
        {0x1234, 0x8400, 0, 1, 'a', 0, PROBE_NOISE},
        {0x1234, 0x8400, 1, 1, 'a', 12, PROBE_NOISE},
        {0x1234, 0x8400, 1, 1, 'a', 3, PROBE_NOISE},
    };
    struct probe probe;
    struct diag diag = {0};
    assert_int_equal(probe_make("a.example.", 0x1234, &probe, &diag), 0);
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        uint8_t reply[sizeof(query)];
        memcpy(reply, query, sizeof(query));
        reply[0] = (uint8_t)(cases[i].id >> 8);
        reply[1] = (uint8_t)cases[i].id;
        reply[2] = (uint8_t)(cases[i].flags >> 8);
        reply[3] = (uint8_t)cases[i].flags;
        reply[5] = (uint8_t)cases[i].questions;
        reply[7] = (uint8_t)cases[i].answers;
        reply[13] = (uint8_t)cases[i].letter;
        size_t size = cases[i].size == 0 ? sizeof(reply) : cases[i].size;
        assert_int_equal(probe_judge(&probe, reply, size), cases[i].verdict);
    }
    assert_int_equal(probe_judge(&probe, query, 0), PROBE_NOISE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asks_for_the_soa),
        cmocka_unit_test(judges_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
