#include "../unit.h"

#include <string.h>

#include "core/attributes.h"
#include "core/nearest.h"

/* Counted by hand. */
static void counts_the_changes(void **state)
{
    (void)state;
    static const struct {
        const char *a;
        const char *b;
        size_t distance;
    } cases[] = {
        {"", "", 0},
        {"seed", "seed", 0},
        {"seed", "", 4},
        {"seed", "Seed", 0},
        {"repetition", "repetitions", 1},
        {"seed", "sed", 1},
        {"smt", "smpt", 1},
        {"smt", "smk", 1},
        {"smt", "mst", 1},
        {"kitten", "sitting", 3},
        {"duration", "durations_s", 3},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        assert_int_equal(word_distance(cases[i].a, cases[i].b), cases[i].distance);
        assert_int_equal(word_distance(cases[i].b, cases[i].a), cases[i].distance);
    }
}

static void refuses_endless_words(void **state)
{
    (void)state;
    char word[200];
    memset(word, 'a', sizeof(word) - 1);
    word[sizeof(word) - 1] = '\0';
    assert_true(word_distance(word, "a") == SIZE_MAX);
    const char *const words[] = {"a"};
    assert_int_equal(word_nearest(word, words, 1), -1);
}

static void finds_the_word_that_was_meant(void **state)
{
    (void)state;
    static const char *const words[] = {"name", "target", "workload", "load",
                                        "axes", "smt",    "seed"};
    static const struct {
        const char *text;
        int index;
    } cases[] = {
        {"nmae", 0}, {"targets", 1},      {"work_load", 2}, {"laod", 3},
        {"axis", 4}, {"st", 5},           {"SEED", 6},      {"x", -1},
        {"", -1},    {"repetitions", -1}, {"colour", -1},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        assert_int_equal(word_nearest(cases[i].text, words, ARRAY_LENGTH(words)), cases[i].index);
    }
    assert_int_equal(word_nearest("seed", words, 0), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_the_changes),
        cmocka_unit_test(refuses_endless_words),
        cmocka_unit_test(finds_the_word_that_was_meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
