#include "../unit.h"

#include <string.h>

#include "core/attributes.h"
#include "dns/name.h"

#define NAME(text) ((const uint8_t *)(text))

static void measures_only_valid_names(void **state)
{
    (void)state;
    static const struct {
        const char *octets;
        size_t size;
        size_t length;
    } cases[] = {
        {"\0", 1, 1},
        {"\3www\7example\0", 13, 13},
        {"\3www\7example\0more", 17, 13},
        {"\3www\7example", 12, 0}, /* no root label */
        {"\3ww", 3, 0},            /* ends inside a label */
        {"", 0, 0},
        {"\100", 1, 0},    /* label type 01 (RFC 6891 5) */
        {"\300\14", 2, 0}, /* a compression pointer */
        {"\1a\300\0", 4, 0},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        assert_int_equal(name_measure(NAME(cases[i].octets), cases[i].size), cases[i].length);
    }
}

/* RFC 1035 2.3.4: 63 octets a label, 255 a name, the root label included. */
static void knows_the_limits(void **state)
{
    (void)state;
    uint8_t name[300] = {0};
    for (size_t i = 0; i < 4; i++) {
        name[i * 64] = 63;
        memset(name + i * 64 + 1, 'a', 63);
    }
    name[192] = 61; /* 3 * 64 + 62 + 1 = 255 */
    name[192 + 62] = 0;
    assert_int_equal(name_measure(name, sizeof(name)), 255);
    name[192] = 62;
    name[192 + 63] = 0;
    assert_int_equal(name_measure(name, sizeof(name)), 0);
    for (size_t i = 0; i < 127; i++) {
        name[2 * i] = 1;
        name[2 * i + 1] = 'x';
    }
    name[254] = 0;
    assert_int_equal(name_measure(name, sizeof(name)), 255);
    assert_int_equal(name_label_count(name), 127);
}

static void compares_without_case(void **state)
{
    (void)state;
    assert_true(name_equal(NAME("\3WwW\7eXample\0"), NAME("\3www\7EXAMPLE\0")));
    assert_false(name_equal(NAME("\3www\7example\0"), NAME("\3wwx\7example\0")));
    assert_false(name_equal(NAME("\3www\0"), NAME("\0")));
    /* RFC 4343 3: only A-Z fold; '[' and '{' do not. */
    assert_false(name_equal(NAME("\1[\0"), NAME("\1{\0")));
    assert_false(name_equal(NAME("\1\300\0"), NAME("\1\340\0")));
}

static void knows_ancestors(void **state)
{
    (void)state;
    assert_true(name_is_within(NAME("\3www\7Example\0"), NAME("\7example\0")));
    assert_true(name_is_within(NAME("\7example\0"), NAME("\7example\0")));
    assert_true(name_is_within(NAME("\7example\0"), NAME("\0")));
    assert_false(name_is_within(NAME("\7example\0"), NAME("\3www\7example\0")));
    /* The same octets at the end, but not as labels. */
    assert_false(name_is_within(NAME("\12my\7example\0"), NAME("\7example\0")));
}

static void formats_as_named_does(void **state)
{
    (void)state;
    char text[NAME_TEXT_SIZE];
    name_format(NAME("\0"), text);
    assert_string_equal(text, ".");
    name_format(NAME("\3www\7example\0"), text);
    assert_string_equal(text, "www.example");
    name_format(NAME("\6a.b\\c \0"), text);
    assert_string_equal(text, "a\\.b\\\\c\\032");
    name_format((const uint8_t[]){2, 0, 255, 0}, text);
    assert_string_equal(text, "\\000\\255");
}

static void index_finds_suffixes(void **state)
{
    (void)state;
    struct name_index long_index;
    struct name_index short_index;
    name_index_make(&long_index, NAME("\12WWW-SERVER\7Example\3com\0"), 24);
    name_index_make(&short_index, NAME("\7example\3COM\0"), 13);
    assert_int_equal(long_index.label_count, 3);
    assert_int_equal(long_index.offset[1], 11);
    assert_int_equal(long_index.hash[1], short_index.hash[0]);
    assert_int_equal(long_index.hash[3], short_index.hash[2]);
    assert_int_not_equal(long_index.hash[0], long_index.hash[1]);
    assert_int_equal(name_index_suffix_length(&long_index, 1), 13);
    assert_memory_equal(name_index_suffix(&long_index, 1), "\7example\3com\0", 13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_only_valid_names), cmocka_unit_test(knows_the_limits),
        cmocka_unit_test(compares_without_case),     cmocka_unit_test(knows_ancestors),
        cmocka_unit_test(formats_as_named_does),     cmocka_unit_test(index_finds_suffixes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
