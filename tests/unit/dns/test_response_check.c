#include "../unit.h"

#include <string.h>

#include "core/attributes.h"
#include "dns/response_check.h"

/* Octal, since a hexadecimal escape would swallow the letters behind it. */
#define HEADER(flags, counts) "\22\64" flags counts "\0\0\0\0\0\0"
#define ONE                   "\0\1"
#define QUERY                 HEADER("\1\0", ONE) "\3www\7example\0\0\1\0\1"
#define BYTES(text)           (const uint8_t *)(text), sizeof(text) - 1

static void replies_are_judged(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        enum response_verdict verdict;
        const uint8_t *bytes;
        size_t size;
    } cases[] = {
        {"equal question", RESPONSE_ACCEPTED,
         BYTES(HEADER("\201\200", ONE) "\3www\7example\0\0\1\0\1")},
        {"an answer behind it", RESPONSE_ACCEPTED,
         BYTES(HEADER("\205\0", ONE) "\3www\7example\0\0\1\0\1\300\14\0\1")},
        {"other case", RESPONSE_ACCEPTED,
         BYTES(HEADER("\201\200", ONE) "\3wWw\7EXAMPLE\0\0\1\0\1")},
        {"NXDOMAIN, TC", RESPONSE_ACCEPTED,
         BYTES(HEADER("\203\3", ONE) "\3www\7example\0\0\1\0\1")},
        {"header alone, FORMERR", RESPONSE_ACCEPTED, BYTES(HEADER("\200\1", "\0\0"))},
        {"header alone, NOERROR", RESPONSE_MISMATCHED, BYTES(HEADER("\200\0", "\0\0"))},
        {"nothing", RESPONSE_MALFORMED, BYTES("")},
        {"3 octets", RESPONSE_MALFORMED, BYTES("\22\64\200")},
        {"11 octets", RESPONSE_MALFORMED, BYTES("\22\64\200\0\0\1\0\0\0\0\0")},
        {"header, no question", RESPONSE_MALFORMED, BYTES(HEADER("\200\0", ONE))},
        {"the query itself", RESPONSE_MALFORMED, BYTES(QUERY)},
        {"another name", RESPONSE_MISMATCHED,
         BYTES(HEADER("\200\0", ONE) "\3www\7exbmple\0\0\1\0\1")},
        {"a longer name", RESPONSE_MISMATCHED,
         BYTES(HEADER("\200\0", ONE) "\3www\7example\3com\0\0\1\0\1")},
        {"a shorter name", RESPONSE_MISMATCHED, BYTES(HEADER("\200\0", ONE) "\3www\0\0\1\0\1")},
        {"another type", RESPONSE_MISMATCHED,
         BYTES(HEADER("\200\0", ONE) "\3www\7example\0\0\34\0\1")},
        {"another class", RESPONSE_MISMATCHED,
         BYTES(HEADER("\200\0", ONE) "\3www\7example\0\0\1\0\3")},
        {"two questions", RESPONSE_MISMATCHED,
         BYTES(HEADER("\200\0", "\0\2") "\3www\7example\0\0\1\0\1\3www\7example\0\0\1\0\1")},
        {"another opcode", RESPONSE_MISMATCHED,
         BYTES(HEADER("\240\0", ONE) "\3www\7example\0\0\1\0\1")},
        {"question cut in the name", RESPONSE_MALFORMED,
         BYTES(HEADER("\200\0", ONE) "\3www\7exam")},
        {"question cut in the class", RESPONSE_MALFORMED,
         BYTES(HEADER("\200\0", ONE) "\3www\7example\0\0\1\0")},
        {"label length past the end", RESPONSE_MALFORMED,
         BYTES(HEADER("\200\0", ONE) "\77www\7example\0\0\1\0\1")},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        enum response_verdict verdict = response_check(BYTES(QUERY), cases[i].bytes, cases[i].size);
        if (verdict != cases[i].verdict) {
            fail_msg("%s: %d", cases[i].what, (int)verdict);
        }
    }
}

/* '@' and '[' stand beside the letters, '`' and '{' beside the small ones. */
static void only_letters_have_case(void **state)
{
    (void)state;
    static const struct {
        const char *asked;
        const char *echoed;
        enum response_verdict verdict;
    } cases[] = {
        {"A", "a", RESPONSE_ACCEPTED},   {"Z", "z", RESPONSE_ACCEPTED},
        {"@", "`", RESPONSE_MISMATCHED}, {"[", "{", RESPONSE_MISMATCHED},
        {"1", "Q", RESPONSE_MISMATCHED}, {"\301", "\341", RESPONSE_MISMATCHED},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        uint8_t query[] = "\0\0\1\0\0\1\0\0\0\0\0\0\1?\0\0\1\0\1";
        uint8_t reply[] = "\0\0\201\0\0\1\0\0\0\0\0\0\1?\0\0\1\0\1";
        query[13] = (uint8_t)cases[i].asked[0];
        reply[13] = (uint8_t)cases[i].echoed[0];
        assert_int_equal(response_check(query, sizeof(query) - 1, reply, sizeof(reply) - 1),
                         cases[i].verdict);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(replies_are_judged),
        cmocka_unit_test(only_letters_have_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
