#include "../unit.h"

#include <string.h>

#include "core/attributes.h"
#include "system/log_tail.h"

static void tails(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t lines;
        const char *tail;
    } cases[] = {
        {"a\nb\nc\n", 1, "c\n"},
        {"a\nb\nc\n", 2, "b\nc\n"},
        {"a\nb\nc\n", 3, "a\nb\nc\n"},
        {"a\nb\nc\n", 9, "a\nb\nc\n"},
        {"a\nb", 1, "b"},
        {"a\n\n\n", 2, "\n\n"},
        {"\n", 1, "\n"},
        {"", 5, ""},
        {"a\nb\n", 0, ""},
        {"one", 1, "one"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        size_t offset = log_tail_offset(cases[i].text, strlen(cases[i].text), cases[i].lines);
        assert_string_equal(cases[i].text + offset, cases[i].tail);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
