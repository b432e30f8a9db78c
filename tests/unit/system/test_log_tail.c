#include "../unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/attributes.h"
#include "core/file.h"
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

static void the_last_line_is_alone(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *line;
    } cases[] = {{"a\nthe cause\n", "the cause"}, {"cause", "cause"}, {"", ""}, {"a\n\n", ""}};
    char path[] = "/tmp/test_log_tail_XXXXXX";
    char line[64] = "old";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct diag diag = {0};
        assert_int_equal(file_write_atomic(path, cases[i].text, strlen(cases[i].text), &diag), 0);
        log_tail_last_line(path, line, sizeof(line));
        assert_string_equal(line, cases[i].line);
    }
    log_tail_last_line(path, line, 4);
    unlink(path);
    log_tail_last_line(path, line, sizeof(line));
    assert_string_equal(line, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tails),
                                       cmocka_unit_test(the_last_line_is_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
