#include "../unit.h"

#include <stdio.h>
#include <string.h>

#include "core/attributes.h"
#include "core/error.h"
#include "dns/zone_text.h"

/* Reads all entries of `octets` into one text, "LINE[+]entry|", + for an inherited owner. */
static int read_all(const char *octets, size_t size, char *out, struct diag *diag)
{
    struct zone_text text;
    struct zone_entry entry;
    int status;
    zone_text_init(&text, "f", octets, size);
    *out = '\0';
    while ((status = zone_text_next(&text, &entry, diag)) > 0) {
        sprintf(out + strlen(out), "%u%s%s|", entry.line, entry.inherits_owner ? "+" : "",
                entry.text);
    }
    zone_text_release(&text);
    return status;
}

static void entries_become_lines(void **state)
{
    (void)state;
    static const struct {
        const char *octets;
        const char *entries;
    } cases[] = {
        {"", ""},
        {"a", "1a|"},
        {"a  A\t1.2.3.4 \n", "1a A 1.2.3.4|"},
        {"\n; only comments\n  ; here\n", ""},
        {"a A 1 ; comment\n", "1a A 1|"},
        {" A 1\n", "1+A 1|"},
        {"a (\n 1 ; one\n 2 ) 3\nb\n", "1a 1 2 3|4b|"},
        {"a(1)2\n", "1a 1 2|"},
        {"a \"x ; ( y\" z\n", "1a \"x ; ( y\" z|"},
        {"a \"q\\\"r\"\n", "1a \"q\\\"r\"|"},
        {"a\\;b \\( x\n", "1a\\;b \\( x|"},
        {"a b\\ \n", "1a b\\ |"}, /* the escaped blank belongs to the word */
        {"a\r\nb\r\n", "1a|2b|"},
        {"a\rb\r", "1a|2b|"},
        {"a \"b\"", "1a \"b\"|"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        char entries[256];
        struct diag diag = {0};
        assert_int_equal(read_all(cases[i].octets, strlen(cases[i].octets), entries, &diag), 0);
        assert_string_equal(entries, cases[i].entries);
    }
}

static void faults_have_lines(void **state)
{
    (void)state;
    static const struct {
        const char *octets;
        size_t size;
        const char *place;
    } cases[] = {
        {"a\nb \"c\nd\"\n", 10, "f:2: unbalanced quotes"},
        {"a \"c", 4, "f:1: unbalanced quotes"},
        {"a\n(\nb\n", 6, "f:2: unbalanced parentheses"},
        {"a\n\n)\n", 5, "f:3: unbalanced parentheses"},
        {"a b\\\n", 5, "f:1: unexpected end of line"},
        {"a \0 b\n", 6, "f:1: NUL"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        char entries[256];
        struct diag diag = {0};
        assert_int_equal(read_all(cases[i].octets, cases[i].size, entries, &diag), ERR_SYNTAX);
        assert_memory_equal(diag.message, cases[i].place, strlen(cases[i].place));
    }
}

static void words_keep_quoted_and_escaped_blanks(void **state)
{
    (void)state;
    char line[] = "one \"t w o\" th\\ ree \"a\\\" b\" end";
    char *rest = line;
    assert_string_equal(zone_text_word(&rest), "one");
    assert_string_equal(zone_text_word(&rest), "\"t w o\"");
    assert_string_equal(zone_text_word(&rest), "th\\ ree");
    assert_string_equal(zone_text_word(&rest), "\"a\\\" b\"");
    assert_string_equal(zone_text_word(&rest), "end");
    assert_null(zone_text_word(&rest));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_become_lines),
        cmocka_unit_test(faults_have_lines),
        cmocka_unit_test(words_keep_quoted_and_escaped_blanks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
