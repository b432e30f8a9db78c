#include "../unit.h"

#include <string.h>

#include "core/attributes.h"
#include "core/error.h"
#include "report/results.h"

#define RUN(setup, qps, rest) "{\"setup\":\"" setup "\",\"qps\":" qps rest "}\n"

static void load(const char *text, struct results *results)
{
    struct diag diag = {0};
    assert_int_equal(results_parse(text, strlen(text), "f", results, &diag), 0);
}

static void runs_are_gathered_by_setup_in_their_order(void **state)
{
    (void)state;
    struct results results;
    load(RUN("b-10", "5", "") RUN("b-9", "1", "") RUN("b-10", "3", "") RUN("b-9", "2.5", ""),
         &results);
    assert_int_equal(results.run_count, 4);
    assert_int_equal(results.setup_count, 2);
    assert_false(results.has_torn_line);
    assert_string_equal(results.setups[0].name, "b-9");
    assert_string_equal(results.setups[1].name, "b-10");
    const struct setup_results *ten = &results.setups[1];
    assert_int_equal(ten->sample.n, 2);
    assert_float_equal(ten->qps[0], 5, 0);
    assert_float_equal(ten->qps[1], 3, 0);
    assert_float_equal(ten->sample.summary.mean, 4, 0);
    assert_int_equal(ten->counted[0], 0);
    assert_int_equal(ten->counted[1], 2);
    results_free(&results);
}

struct count_case {
    const char *rest;
    bool counts;
};

static void a_run_counts_unless_the_record_or_its_flags_say_no(void **state)
{
    (void)state;
    static const struct count_case cases[] = {
        {"", true},
        {",\"flags\":[]", true},
        {",\"flags\":[\"lossy\",\"generator-bound\"]", true},
        {",\"flags\":[\"lossy\",\"target-died\"]", false},
        {",\"flags\":[\"interrupted\"]", false},
        {",\"counted\":false", false},
        {",\"counted\":true", true},
        {",\"flags\":\"target-died\"", true},
        {",\"flags\":[1,null]", true},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        char text[200];
        snprintf(text, sizeof(text), "{\"setup\":\"a\",\"qps\":7%s}\n", cases[i].rest);
        struct results results;
        load(text, &results);
        assert_int_equal(results.runs[0].counts, cases[i].counts);
        assert_int_equal(results.setups[0].sample.n, cases[i].counts ? 1 : 0);
        assert_int_equal(results.setups[0].run_count, 1);
        results_free(&results);
    }
}

/* A server that answered nothing in time. */
static void no_answer_at_all_is_a_rate(void **state)
{
    (void)state;
    struct results results;
    load(RUN("a", "0", "") RUN("a", "0.0", ""), &results);
    assert_int_equal(results.setups[0].sample.n, 2);
    assert_float_equal(results.setups[0].sample.summary.mean, 0, 0);
    results_free(&results);
}

static void a_cut_last_line_is_left_out(void **state)
{
    (void)state;
    struct results results;
    load(RUN("a", "1", "") "{\"setup\":\"a\",\"qps\":2}", &results);
    assert_true(results.has_torn_line);
    assert_int_equal(results.run_count, 1);
    results_free(&results);
    load("", &results);
    assert_int_equal(results.run_count, 0);
    assert_int_equal(results.setup_count, 0);
    results_free(&results);
}

struct bad_case {
    const char *text;
    const char *message; /* begins so */
};

static void bad_lines_are_errors_with_their_place(void **state)
{
    (void)state;
    static const struct bad_case cases[] = {
        {RUN("a", "1", "") "{]\n", "f:2: is not JSON: "},
        {"\n", "f:1: is not JSON: "},
        {"{\"setup\":\"a\",\"setup\":\"b\",\"qps\":1}\n", "f:1: is not JSON: duplicate"},
        {"[]\n", "f:1: is not a run: an object with a text \"setup\" is right"},
        {"{\"setup\":7,\"qps\":1}\n", "f:1: is not a run: "},
        {"{\"setup\":\"a\"}\n",
         "f:1: the run has no rate: a number \"qps\" from 0 to 1e+100 is right"},
        {"{\"setup\":\"a\",\"qps\":\"9\"}\n", "f:1: the run has no rate: "},
        {"{\"setup\":\"a\",\"qps\":-1}\n", "f:1: the run has no rate: "},
        {"{\"setup\":\"a\",\"qps\":1e101}\n", "f:1: the run has no rate: "},
        {"{\"setup\":\"a\",\"qps\":1e999}\n", "f:1: is not JSON: "},
        {"{\"setup\":\"a\",\"qps\":NaN}\n", "f:1: is not JSON: "},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct results results;
        struct diag diag = {0};
        int status = results_parse(cases[i].text, strlen(cases[i].text), "f", &results, &diag);
        assert_int_equal(status, ERR_SYNTAX);
        assert_int_equal(strncmp(diag.message, cases[i].message, strlen(cases[i].message)), 0);
    }
}

static void an_unknown_setup_gets_the_nearest_name(void **state)
{
    (void)state;
    struct results results;
    struct diag diag = {0};
    size_t index = 9;
    load(RUN("process-scope-1-cpu", "1", "") RUN("system-scope-1-cpu", "1", ""), &results);
    assert_int_equal(results_find_setup(&results, "system-scope-1-cpu", &index, &diag), 0);
    assert_int_equal(index, 1);
    assert_int_equal(results_find_setup(&results, "sytem-scope-1-cpu", &index, &diag),
                     ERR_NOT_FOUND);
    assert_string_equal(diag.message, "there is no setup \"sytem-scope-1-cpu\" to compare; did you "
                                      "mean \"system-scope-1-cpu\"?");
    results_free(&results);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_gathered_by_setup_in_their_order),
        cmocka_unit_test(a_run_counts_unless_the_record_or_its_flags_say_no),
        cmocka_unit_test(no_answer_at_all_is_a_rate),
        cmocka_unit_test(a_cut_last_line_is_left_out),
        cmocka_unit_test(bad_lines_are_errors_with_their_place),
        cmocka_unit_test(an_unknown_setup_gets_the_nearest_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
