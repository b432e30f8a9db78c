/* Expected: the HTML standard, 13.1.2 and 13.5, and RFC 3629 for what UTF-8 is. */
#include "../unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"
#include "report/html.h"

#define REPLACEMENT "\xef\xbf\xbd"

struct text_case {
    const char *text;
    const char *expected;
};

static const struct text_case cases[] = {
    {"", ""},
    {"process-scope-1-cpu", "process-scope-1-cpu"},
    {"<b a=\"1\" c='2'>&amp;", "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;"},
    {"a\tb\nc", "a\tb\nc"},
    {"a\x01\x1b[2J\x7f\r", "a" REPLACEMENT REPLACEMENT "[2J" REPLACEMENT REPLACEMENT},
    {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"},
    {"\x80", REPLACEMENT},                                                 /* no beginning */
    {"\xc3", REPLACEMENT},                                                 /* no end */
    {"\xc0\xbc", REPLACEMENT REPLACEMENT},                                 /* < in two octets */
    {"\xe0\x80\xbc", REPLACEMENT REPLACEMENT REPLACEMENT},                 /* < in three */
    {"\xed\xa0\x80", REPLACEMENT REPLACEMENT REPLACEMENT},                 /* a surrogate */
    {"\xf4\x90\x80\x80", REPLACEMENT REPLACEMENT REPLACEMENT REPLACEMENT}, /* over U+10FFFF */
    {"\xff<", REPLACEMENT "&lt;"},
    {"\xe2\x82<", REPLACEMENT REPLACEMENT "&lt;"},
};

static void everything_from_outside_is_escaped(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        assert_non_null(out);
        html_text(out, cases[i].text);
        assert_int_equal(fclose(out), 0);
        assert_string_equal(text, cases[i].expected);
        free(text);
    }
}

static void a_nul_among_the_bytes_is_no_end(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    html_bytes(out, "a\0<", 3);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, "a" REPLACEMENT "&lt;");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_from_outside_is_escaped),
        cmocka_unit_test(a_nul_among_the_bytes_is_no_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
