#include "../unit.h"

#include <string.h>

#include "core/attributes.h"
#include "dns/name_text.h"

#define LABEL_63 "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk"
/* Three labels of 63 and one of 61: 3 * 64 + 62 + 1 = 255 octets on the wire. */
#define NAME_255                                                                                   \
    LABEL_63 "." LABEL_63 "." LABEL_63 "."                                                         \
             "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghi"

static void names_become_wire_format(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *wire;
        size_t size;
    } cases[] = {
        {".", "\0", 1},
        {"com", "\3com\0", 5},
        {"com.", "\3com\0", 5},
        {"Www.Example.com", "\3Www\7Example\3com\0", 17},
        {"a.b", "\1a\1b\0", 5},
        {"\\\".", "\1\"\0", 3},
        {"\\\"", "\1\"\0", 3},
        {"valid\\.quote.com", "\13valid.quote\3com\0", 17},
        {"a\\\\b", "\3a\\b\0", 5},
        {"\\000\\255\\065", "\3\0\377A\0", 5},
        {"\\010\\046x", "\3\n.x\0", 5},
        {"\\.", "\1.\0", 3},
        {"\303\251", "\2\303\251\0", 4},
        {"_sip._udp.a", "\4_sip\4_udp\1a\0", 13},
        {"*.a", "\1*\1a\0", 5},
        {"#a;b", "\4#a;b\0", 6},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        uint8_t wire[DNS_NAME_MAX_BYTES];
        size_t size = 0;
        assert_int_equal(name_text_to_wire(cases[i].text, strlen(cases[i].text), wire, &size), 0);
        assert_int_equal(size, cases[i].size);
        assert_memory_equal(wire, cases[i].wire, size);
    }
}

static void what_is_no_name_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum name_text_error error;
    } cases[] = {
        {"", NAME_TEXT_EMPTY},
        {"..", NAME_TEXT_EMPTY_LABEL},
        {".x", NAME_TEXT_EMPTY_LABEL},
        {"a..b", NAME_TEXT_EMPTY_LABEL},
        {"a..", NAME_TEXT_EMPTY_LABEL},
        {LABEL_63 "l", NAME_TEXT_LABEL_LENGTH},
        {"a." LABEL_63 "l.b", NAME_TEXT_LABEL_LENGTH},
        {NAME_255 "j", NAME_TEXT_NAME_LENGTH},
        {NAME_255 ".j", NAME_TEXT_NAME_LENGTH},
        {LABEL_63 "." LABEL_63 "." LABEL_63 "." LABEL_63, NAME_TEXT_NAME_LENGTH},
        {"invalid\\0quote.com", NAME_TEXT_ESCAPE_DIGITS},
        {"a\\12", NAME_TEXT_ESCAPE_DIGITS},
        {"a\\1", NAME_TEXT_ESCAPE_DIGITS},
        {"\\256", NAME_TEXT_ESCAPE_VALUE},
        {"\\999", NAME_TEXT_ESCAPE_VALUE},
        {"a\\", NAME_TEXT_ESCAPE_END},
        {"a\001b", NAME_TEXT_CONTROL},
        {"a\177", NAME_TEXT_CONTROL},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        uint8_t wire[DNS_NAME_MAX_BYTES];
        size_t size;
        enum name_text_error error =
            name_text_to_wire(cases[i].text, strlen(cases[i].text), wire, &size);
        assert_int_equal(error, cases[i].error);
        assert_true(strlen(name_text_problem(error)) > 0);
    }
}

static void the_longest_names(void **state)
{
    (void)state;
    uint8_t wire[DNS_NAME_MAX_BYTES];
    size_t size = 0;
    assert_int_equal(name_text_to_wire(LABEL_63, 63, wire, &size), NAME_TEXT_OK);
    assert_int_equal(size, 65);
    assert_int_equal(name_text_to_wire(NAME_255, strlen(NAME_255), wire, &size), NAME_TEXT_OK);
    assert_int_equal(size, 255);
    assert_int_equal(name_text_to_wire(NAME_255 ".", strlen(NAME_255) + 1, wire, &size),
                     NAME_TEXT_OK);
    assert_int_equal(size, 255);
    /* 127 labels of one octet: 254 octets and the root. */
    char text[254];
    for (size_t i = 0; i < sizeof(text); i++) {
        text[i] = i % 2 == 0 ? 'a' : '.';
    }
    assert_int_equal(name_text_to_wire(text, sizeof(text), wire, &size), NAME_TEXT_OK);
    assert_int_equal(size, 255);
    assert_int_equal(wire[254], 0);
}

static void a_nul_is_a_control_character(void **state)
{
    (void)state;
    uint8_t wire[DNS_NAME_MAX_BYTES];
    size_t size;
    assert_int_equal(name_text_to_wire("a\0b", 3, wire, &size), NAME_TEXT_CONTROL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_become_wire_format),
        cmocka_unit_test(what_is_no_name_is_told),
        cmocka_unit_test(the_longest_names),
        cmocka_unit_test(a_nul_is_a_control_character),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
