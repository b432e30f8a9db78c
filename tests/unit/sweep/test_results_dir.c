#include "../temporary.h"
#include "../unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"
#include "sweep/results_dir.h"

static const char experiment_text[] =
    "name: x\ntarget: {kind: scoped}\nworkload: {zone: z, queries: q}\nrepetitions: 3\n";

struct fixture {
    struct experiment experiment;
    struct plan plan;
    char folder[TEMPORARY_PATH_BYTES];
    char directory[80];
};

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof(*fixture));
    struct diag diag = {0};
    *state = fixture;
    temporary_folder(fixture->folder);
    snprintf(fixture->directory, sizeof(fixture->directory), "%s/a/b", fixture->folder);
    assert_int_equal(experiment_parse(&fixture->experiment, experiment_text,
                                      strlen(experiment_text), "f", NULL, 0, &diag),
                     0);
    assert_int_equal(plan_make(&fixture->experiment, &fixture->plan, &diag), 0);
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    temporary_remove(fixture->folder);
    plan_free(&fixture->plan);
    experiment_free(&fixture->experiment);
    free(fixture);
    return 0;
}

static void add(struct results_dir *results, const char *setup, int block, int counted, double qps)
{
    struct diag diag = {0};
    json_t *record = json_pack("{s:s, s:i, s:i, s:b, s:f}", "setup", setup, "block", block, "run",
                               1, "counted", counted, "qps", qps);
    assert_int_equal(results_dir_add(results, record, &diag), 0);
    json_decref(record);
}

static void check_file(const struct fixture *fixture, const char *name, const char *expected)
{
    char path[160];
    struct bytes text;
    struct diag diag = {0};
    snprintf(path, sizeof(path), "%s/%s", fixture->directory, name);
    assert_int_equal(file_read_all(path, &text, &diag), 0);
    assert_string_equal(text.data, expected);
    bytes_free(&text);
}

static void keeps_runs_and_derives_ministat_files(void **state)
{
    struct fixture *fixture = *state;
    struct results_dir results;
    struct diag diag = {0};
    assert_int_equal(results_dir_create(fixture->directory, &fixture->experiment, &fixture->plan,
                                        &results, &diag),
                     0);
    add(&results, "system-scope-1-cpu", 1, 1, 200.5);
    add(&results, "process-scope-1-cpu", 1, 1, 100);
    add(&results, "system-scope-1-cpu", 2, 0, 7);
    add(&results, "system-scope-1-cpu", 2, 1, 300.1234567);
    check_file(fixture, "ministat/system-scope-1-cpu.txt", "200.500000\n300.123457\n");
    check_file(fixture, "ministat/process-scope-1-cpu.txt", "100.000000\n");
    assert_true(results_dir_has(&results, 1, 2, 1));
    assert_false(results_dir_has(&results, 0, 2, 1));
    assert_false(results_dir_has(&results, 1, 3, 1));
    results_dir_close(&results);
    /* All of it is there again when the directory is opened. */
    assert_int_equal(results_dir_open(fixture->directory, &fixture->plan, &results, &diag), 0);
    assert_int_equal(results.run_count, 4);
    assert_true(results_dir_has(&results, 1, 2, 1));
    assert_false(results_dir_has(&results, 0, 2, 1));
    results_dir_close(&results);
}

/* A run that was cut is kept, and made again by a resumed sweep. */
static void a_run_that_does_not_count_is_still_to_be_made(void **state)
{
    struct fixture *fixture = *state;
    struct results_dir results;
    struct diag diag = {0};
    assert_int_equal(results_dir_create(fixture->directory, &fixture->experiment, &fixture->plan,
                                        &results, &diag),
                     0);
    add(&results, "system-scope-1-cpu", 1, 0, 7);
    assert_false(results_dir_has(&results, 1, 1, 1));
    add(&results, "system-scope-1-cpu", 1, 1, 200.5);
    assert_true(results_dir_has(&results, 1, 1, 1));
    results_dir_close(&results);
}

static void refuses_a_directory_in_use(void **state)
{
    struct fixture *fixture = *state;
    struct results_dir results;
    struct results_dir other;
    struct diag diag = {0};
    assert_int_equal(results_dir_create(fixture->directory, &fixture->experiment, &fixture->plan,
                                        &results, &diag),
                     0);
    assert_int_equal(
        results_dir_create(fixture->directory, &fixture->experiment, &fixture->plan, &other, &diag),
        ERR_EXISTS);
    diag = (struct diag){0};
    assert_int_equal(results_dir_open(fixture->directory, &fixture->plan, &other, &diag),
                     ERR_EXISTS);
    assert_non_null(strstr(diag.message, "another dnscope sweep"));
    results_dir_close(&results);
}

/* Every length of a last line that a crash can leave is cut off, and nothing before it. */
static void cuts_a_torn_last_line(void **state)
{
    struct fixture *fixture = *state;
    struct results_dir results;
    struct diag diag = {0};
    char path[160];
    assert_int_equal(results_dir_create(fixture->directory, &fixture->experiment, &fixture->plan,
                                        &results, &diag),
                     0);
    add(&results, "system-scope-1-cpu", 1, 1, 200.5);
    results_dir_close(&results);
    snprintf(path, sizeof(path), "%s/runs.jsonl", fixture->directory);
    struct bytes whole;
    assert_int_equal(file_read_all(path, &whole, &diag), 0);
    int saved_stderr = dup(STDERR_FILENO);
    assert_non_null(freopen("/dev/null", "w", stderr));
    for (size_t cut = 1; cut < whole.size; cut++) {
        assert_int_equal(file_write_atomic(path, whole.data, whole.size, &diag), 0);
        assert_int_equal(file_append_synced(path, whole.data, cut, &diag), 0);
        assert_int_equal(results_dir_open(fixture->directory, &fixture->plan, &results, &diag), 0);
        assert_int_equal(results.run_count, 1);
        results_dir_close(&results);
        check_file(fixture, "runs.jsonl", whole.data);
    }
    dup2(saved_stderr, STDERR_FILENO);
    close(saved_stderr);
    bytes_free(&whole);
}

static void names_a_wrong_line(void **state)
{
    struct fixture *fixture = *state;
    struct results_dir results;
    struct diag diag = {0};
    char path[160];
    assert_int_equal(results_dir_create(fixture->directory, &fixture->experiment, &fixture->plan,
                                        &results, &diag),
                     0);
    add(&results, "system-scope-1-cpu", 1, 1, 200.5);
    results_dir_close(&results);
    snprintf(path, sizeof(path), "%s/runs.jsonl", fixture->directory);
    assert_int_equal(file_append_synced(path, "{nonsense\n", 10, &diag), 0);
    assert_int_equal(results_dir_open(fixture->directory, &fixture->plan, &results, &diag),
                     ERR_SYNTAX);
    assert_non_null(strstr(diag.message, "runs.jsonl:2: not JSON"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(keeps_runs_and_derives_ministat_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_run_that_does_not_count_is_still_to_be_made, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(refuses_a_directory_in_use, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cuts_a_torn_last_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_a_wrong_line, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
