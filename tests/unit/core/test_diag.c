#include "../unit.h"

#include <errno.h>
#include <string.h>

#include "core/diag.h"
#include "core/error.h"

static void place_and_text(void **state)
{
    (void)state;
    struct diag diag = {0};
    assert_int_equal(diag_fail(&diag, ERR_SYNTAX, "q.txt", 7, "no type behind \"%s\"", "a\tb"),
                     ERR_SYNTAX);
    assert_string_equal(diag.message, "q.txt:7: no type behind \"a?b\"");
    assert_int_equal(diag.code, ERR_SYNTAX);
}

static void first_failure_wins(void **state)
{
    (void)state;
    struct diag diag = {0};
    diag_fail(&diag, ERR_RANGE, NULL, 0, "first");
    assert_int_equal(diag_fail(&diag, ERR_SYNTAX, NULL, 0, "second"), ERR_RANGE);
    errno = ENOENT;
    assert_int_equal(diag_fail_errno(&diag, "f", "third"), ERR_RANGE);
    assert_string_equal(diag.message, "first");
}

static void system_errors_are_named(void **state)
{
    (void)state;
    struct diag diag = {0};
    errno = ENOENT;
    assert_int_equal(diag_fail_errno(&diag, "zone.db", "cannot open"), ERR_SYSTEM);
    assert_string_equal(diag.message, "zone.db: cannot open: No such file or directory");
}

static void long_text_is_cut(void **state)
{
    (void)state;
    struct diag diag = {0};
    char text[3000];
    memset(text, 'x', sizeof(text));
    text[sizeof(text) - 1] = '\0';
    diag_fail(&diag, ERR_SYNTAX, "f", 1, "%s", text);
    assert_int_equal(strlen(diag.message), sizeof(diag.message) - 1);
}

static void codes_have_texts(void **state)
{
    (void)state;
    for (int code = ERR_NONE; code >= ERR_TIMEOUT; code--) {
        assert_string_not_equal(error_string(code), "unknown error");
    }
    assert_string_equal(error_string(1), "unknown error");
    assert_string_equal(error_string(ERR_TIMEOUT - 1), "unknown error");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(place_and_text),          cmocka_unit_test(first_failure_wins),
        cmocka_unit_test(system_errors_are_named), cmocka_unit_test(long_text_is_cut),
        cmocka_unit_test(codes_have_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
