/*
 * What cross builds, for which Debian has no cmocka, run libpscope's unit tests with: the few of
 * cmocka's macros that they use. The first failure ends the program.
 */
#ifndef TESTS_UNIT_STAND_IN_CMOCKA_H
#define TESTS_UNIT_STAND_IN_CMOCKA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define assert_true(condition)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);              \
            abort();                                                                               \
        }                                                                                          \
    } while (0)
#define assert_false(condition)   assert_true(!(condition))
#define assert_null(pointer)      assert_true((pointer) == NULL)
#define assert_non_null(pointer)  assert_true((pointer) != NULL)
#define assert_ptr_equal(a, b)    assert_true((const void *)(a) == (const void *)(b))
#define assert_int_equal(a, b)    assert_true((long long)(a) == (long long)(b))
#define assert_string_equal(a, b) assert_true(strcmp(a, b) == 0)

struct CMUnitTest {
    void (*run)(void **state);
};

#define cmocka_unit_test(function)                                                                 \
    {                                                                                              \
        function                                                                                   \
    }
#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    stand_in_run(tests, sizeof(tests) / sizeof *(tests))

static inline int stand_in_run(const struct CMUnitTest *tests, size_t count)
{
    void *state = NULL;
    size_t i;

    for (i = 0; i < count; i++)
        tests[i].run(&state);
    return 0;
}

#endif
