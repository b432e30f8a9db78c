#include "../unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/attributes.h"
#include "core/error.h"
#include "sweep/experiment.h"
#include "system/launch.h"

/* The least that an experiment needs. */
#define LEAST "name: x\ntarget: {kind: scoped}\nworkload: {zone: z, queries: q}\n"

static int parse(struct experiment *experiment, const char *text, struct diag *diag)
{
    *diag = (struct diag){0};
    return experiment_parse(experiment, text, strlen(text), "/e/f.yaml", NULL, 0, diag);
}

static void reads_every_key(void **state)
{
    (void)state;
    static const char text[] = "name: my-test_1.0\n"
                               "target:\n"
                               "  kind: named\n"
                               "  model: shared\n"
                               "  workers: 3\n"
                               "  port: 5353\n"
                               "  program: ./named\n"
                               "workload:\n"
                               "  zone: ../zones/z\n"
                               "  queries: /abs/q\n"
                               "  origin: example.\n"
                               "load:\n"
                               "  threads: 2\n"
                               "  clients: 8\n"
                               "  outstanding: 50\n"
                               "  warmup_s: 0.5\n"
                               "  duration_s: 2.25\n"
                               "  timeout_s: 1\n"
                               "axes:\n"
                               "  scope: [system, process]\n"
                               "  vcpus: [1, 2, 4]\n"
                               "  smt: [on, mask]\n"
                               "  placement: [any, {server: \"0,2\", client: 1}]\n"
                               "  malloc: [jemalloc, libc]\n"
                               "  confine: [vcpus, none]\n"
                               "repetitions: {starts: 3, runs_per_start: 4}\n"
                               "order: sequential\n"
                               "seed: 9007199254740991\n";
    struct experiment e;
    struct diag diag;
    assert_int_equal(parse(&e, text, &diag), 0);
    assert_string_equal(e.name, "my-test_1.0");
    assert_int_equal(e.target.kind, TARGET_NAMED);
    assert_string_equal(e.target.model, "shared");
    assert_int_equal(e.target.workers, 3);
    assert_int_equal(e.target.port, 5353);
    assert_string_equal(e.target.program, "/e/./named");
    assert_string_equal(e.workload.zone, "/e/../zones/z");
    assert_string_equal(e.workload.queries, "/abs/q");
    assert_string_equal(e.workload.origin, "example.");
    assert_int_equal(e.load.threads, 2);
    assert_int_equal(e.load.clients, 8);
    assert_int_equal(e.load.outstanding, 50);
    assert_true(e.load.warmup_s == 0.5 && e.load.duration_s == 2.25 && e.load.timeout_s == 1);
    assert_int_equal(e.axes.scope.count, 2);
    assert_int_equal(e.axes.scope.values[0], THREAD_SCOPE_SYSTEM);
    assert_int_equal(e.axes.scope.values[1], THREAD_SCOPE_PROCESS);
    assert_int_equal(e.axes.vcpus.count, 3);
    assert_int_equal(e.axes.vcpus.values[2], 4);
    assert_int_equal(e.axes.smt.values[0], SMT_ON);
    assert_int_equal(e.axes.placement.count, 2);
    assert_int_equal(e.axes.placement.values[0].policy, PLACEMENT_ANY);
    assert_int_equal(e.axes.placement.values[1].policy, PLACEMENT_EXPLICIT);
    assert_true(cpu_set_has(&e.axes.placement.values[1].server, 2));
    assert_true(cpu_set_has(&e.axes.placement.values[1].client, 1));
    assert_int_equal(e.axes.malloc.values[0], ALLOCATOR_JEMALLOC);
    assert_int_equal(e.axes.confine.values[0], CONFINE_VCPUS);
    assert_int_equal(e.repetitions.starts, 3);
    assert_int_equal(e.repetitions.runs_per_start, 4);
    assert_int_equal(e.order, ORDER_SEQUENTIAL);
    assert_true(e.seed == UINT64_C(9007199254740991));
    experiment_free(&e);
}

static void fills_in_defaults(void **state)
{
    (void)state;
    struct experiment e;
    struct diag diag;
    assert_int_equal(parse(&e, LEAST, &diag), 0);
    assert_string_equal(e.target.model, "dispatch");
    assert_int_equal(e.target.workers, 0);
    assert_int_equal(e.target.port, 0);
    assert_null(e.target.program);
    assert_null(e.workload.origin);
    assert_int_equal(e.load.threads, 1);
    assert_int_equal(e.load.clients, 4);
    assert_int_equal(e.load.outstanding, 100);
    assert_true(e.load.warmup_s == 1 && e.load.duration_s == 5 && e.load.timeout_s == 5);
    assert_int_equal(e.axes.scope.count, 2);
    assert_int_equal(e.axes.vcpus.count, 1);
    assert_int_equal(e.axes.placement.values[0].policy, PLACEMENT_SAME_SOCKET);
    assert_int_equal(e.repetitions.starts, 5);
    assert_int_equal(e.repetitions.runs_per_start, 1);
    assert_int_equal(e.order, ORDER_RANDOMIZED_BLOCKS);
    assert_true(e.seed == 1);
    experiment_free(&e);
}

static void takes_one_value_for_a_list(void **state)
{
    (void)state;
    struct experiment e;
    struct diag diag;
    assert_int_equal(parse(&e, LEAST "axes: {scope: system, vcpus: 2, placement: any}\n", &diag),
                     0);
    assert_int_equal(e.axes.scope.count, 1);
    assert_int_equal(e.axes.scope.values[0], THREAD_SCOPE_SYSTEM);
    assert_int_equal(e.axes.vcpus.values[0], 2);
    assert_int_equal(e.axes.placement.count, 1);
    experiment_free(&e);
}

/* Each wrong file with the place and the words of its diagnosis. */
static void says_where_and_what(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {"- a\n", "/e/f.yaml:1: an experiment is a group of keys: name, target, workload, ..."},
        {"name: x\n", "/e/f.yaml:1: key \"target\" is missing"},
        {"name: x\ntarget: {}\n", "/e/f.yaml:2: key \"kind\" is missing below target"},
        {LEAST "repetition: 5\n",
         "/e/f.yaml:4: unknown key \"repetition\"; did you mean \"repetitions\"?"},
        {LEAST "colour: red\n",
         "/e/f.yaml:4: unknown key \"colour\"; there can be name, target, workload, load, axes, "
         "repetitions, order or seed"},
        {LEAST "load:\n  duration: 5\n",
         "/e/f.yaml:5: unknown key \"duration\"; did you mean \"duration_s\"?"},
        {LEAST "load:\n  duration_s: 5s\n",
         "/e/f.yaml:5: \"duration_s\" must be a number from 0.01 to 86400, not \"5s\""},
        {LEAST "load: {warmup_s: -1}\n",
         "/e/f.yaml:4: \"warmup_s\" must be a number from 0 to 3600, not \"-1\""},
        {LEAST "load: 5\n", "/e/f.yaml:4: \"load\" must be a group of keys, not a single value"},
        {LEAST "load: {threads: [1]}\n",
         "/e/f.yaml:4: \"threads\" must be a single value, not a list"},
        {LEAST "load: {threads: 4, clients: 2}\n",
         "/e/f.yaml:4: \"clients\" (2) must be at least \"threads\" (4): each thread needs a "
         "socket"},
        {LEAST "axes:\n  vcpus: [1,\n    0]\n",
         "/e/f.yaml:6: \"vcpus\" must be a whole number from 1 to 1024, not \"0\""},
        {LEAST "axes:\n  vcpus: [1, 1]\n", "/e/f.yaml:5: \"vcpus\" has 1 twice; keep one of them"},
        {LEAST "axes:\n  vcpus: []\n", "/e/f.yaml:5: \"vcpus\" must have one value at least"},
        {LEAST "axes:\n  scope: [proces]\n",
         "/e/f.yaml:5: \"scope\" must be process or system, not \"proces\"; did you mean "
         "\"process\"?"},
        {LEAST "axes:\n  smt: [true]\n",
         "/e/f.yaml:5: \"smt\" must be on, mask or offline, not \"true\""},
        {LEAST "axes:\n  placement: [same_socket]\n",
         "/e/f.yaml:5: \"placement\" must be any, same-socket, split-sockets or socket-off, not "
         "\"same_socket\"; did you mean \"same-socket\"?"},
        {LEAST "axes:\n  placement: [{server: 0}]\n", "/e/f.yaml:5: key \"client\" is missing"},
        {LEAST "axes:\n  placement: [any, any]\n",
         "/e/f.yaml:5: \"placement\" has the same value twice; keep one of them"},
        {LEAST "axes:\n  malloc: tcmalloc\n",
         "/e/f.yaml:5: \"malloc\" must be libc or jemalloc, not \"tcmalloc\"; did you mean "
         "\"jemalloc\"?"},
        {"name: x\ntarget: {kind: unbound}\n",
         "/e/f.yaml:2: \"kind\" must be scoped or named, not \"unbound\""},
        {"name: x\ntarget: {kind: scoped, model: tasks}\n",
         "/e/f.yaml:2: \"model\" must be reuseport, shared or dispatch, not \"tasks\""},
        {"name: x\ntarget: {kind: scoped, workers: many}\n",
         "/e/f.yaml:2: \"workers\" must be \"${vcpus}\" or a whole number from 1 to 1024, not "
         "\"many\""},
        {"name: ../x\n",
         "/e/f.yaml:1: \"name\" must be 1 to 64 letters, digits, '.', '_' or '-', the first one a "
         "letter or digit, not \"../x\""},
        {"name: ''\n",
         "/e/f.yaml:1: \"name\" must be 1 to 64 letters, digits, '.', '_' or '-', the first one a "
         "letter or digit, not \"\""},
        {LEAST "repetitions: 0\n",
         "/e/f.yaml:4: \"repetitions\" must be a whole number from 1 to 100000, not \"0\""},
        {LEAST "repetitions: {runs_per_start: 2}\n",
         "/e/f.yaml:4: key \"starts\" is missing below repetitions"},
        {LEAST "repetitions: {starts: 100000, runs_per_start: 1000}\n",
         "/e/f.yaml:4: 2 setups and these repetitions make 200000000 runs; 1000000 are the "
         "limit"},
        {LEAST "order: random\n",
         "/e/f.yaml:4: \"order\" must be randomized-blocks or sequential, not \"random\""},
        {LEAST "seed: -1\n",
         "/e/f.yaml:4: \"seed\" must be a whole number from 0 to 9007199254740991, not "
         "\"-1\""},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct experiment e;
        struct diag diag;
        assert_true(parse(&e, cases[i].text, &diag) < 0);
        assert_string_equal(diag.message, cases[i].message);
    }
}

static void names_the_wrong_cpu_list(void **state)
{
    (void)state;
    struct experiment e;
    struct diag diag;
    assert_true(
        parse(&e, LEAST "axes:\n  placement:\n  - {server: 3-1,\n     client: 0}\n", &diag) < 0);
    assert_non_null(strstr(diag.message, "/e/f.yaml:6: \"server\": "));
    assert_non_null(strstr(diag.message, "3-1"));
}

static void applies_settings_first(void **state)
{
    (void)state;
    static const char *const sets[] = {"target.kind=named", "axes.vcpus=[3]", "seed=9",
                                       "workload.zone=here"};
    /* The wrong values in the file are replaced before anything looks at them. */
    static const char text[] = "name: x\ntarget: {kind: bind}\nworkload: {zone: z, queries: q}\n"
                               "axes: {vcpus: [x]}\n";
    struct experiment e;
    struct diag diag = {0};
    assert_int_equal(experiment_parse(&e, text, strlen(text), "/e/f.yaml", sets, 4, &diag), 0);
    assert_int_equal(e.target.kind, TARGET_NAMED);
    assert_int_equal(e.axes.vcpus.values[0], 3);
    assert_true(e.seed == 9);
    assert_string_equal(e.workload.queries, "/e/q");
    char *current = getcwd(NULL, 0);
    assert_memory_equal(e.workload.zone, current, strlen(current));
    assert_string_equal(e.workload.zone + strlen(current), "/here");
    free(current);
    experiment_free(&e);
}

static void names_the_wrong_setting(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        const char *message;
    } cases[] = {
        {"load.duration_s=x", "--set load.duration_s=x: \"duration_s\" must be a number from 0.01 "
                              "to 86400, not \"x\""},
        {"sed=1", "--set sed=1: unknown key \"sed\"; did you mean \"seed\"?"},
        {"axes.scopes=process",
         "--set axes.scopes=process: unknown key \"scopes\"; did you mean \"scope\"?"},
        {"name.x=1",
         "--set name.x=1: \"name\" is a single value here, without keys below it; set "
         "the whole of it with --set name=VALUE, whose forms dnscope-experiment(5) has"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct experiment e;
        struct diag diag = {0};
        assert_true(experiment_parse(&e, LEAST, strlen(LEAST), "f", &cases[i].set, 1, &diag) < 0);
        assert_string_equal(diag.message, cases[i].message);
    }
}

/* What is written reads back the same, and is then written the same. */
static void round_trips(void **state)
{
    (void)state;
    static const char *const texts[] = {
        LEAST,
        "name: x\ntarget: {kind: named, workers: 2, port: 53, program: /a b/named}\n"
        "workload: {zone: 'a \"b\\ c', queries: q, origin: .}\n"
        "load: {warmup_s: 0, duration_s: 0.3, timeout_s: 0.001}\n"
        "axes: {scope: [system], vcpus: [2, 1], smt: [on], malloc: [jemalloc],\n"
        "  placement: [any, {server: '0', client: '1-2'}], confine: [none, vcpus]}\n"
        "repetitions: {starts: 2}\norder: sequential\nseed: 77\n",
    };
    for (size_t i = 0; i < ARRAY_LENGTH(texts); i++) {
        struct experiment first;
        struct experiment second;
        struct diag diag;
        assert_int_equal(parse(&first, texts[i], &diag), 0);
        char *written = experiment_format(&first);
        assert_non_null(written);
        assert_int_equal(parse(&second, written, &diag), 0);
        assert_string_equal(second.workload.zone, first.workload.zone);
        assert_true(second.load.duration_s == first.load.duration_s);
        assert_true(second.load.timeout_s == first.load.timeout_s);
        assert_int_equal(second.axes.placement.count, first.axes.placement.count);
        assert_int_equal(second.target.workers, first.target.workers);
        assert_true(second.seed == first.seed);
        char *again = experiment_format(&second);
        assert_string_equal(again, written);
        free(again);
        free(written);
        experiment_free(&first);
        experiment_free(&second);
    }
}

static void reports_an_unreadable_file(void **state)
{
    (void)state;
    struct experiment e;
    struct diag diag = {0};
    assert_int_equal(experiment_load(&e, "/nonexistent/x.yaml", NULL, 0, &diag), ERR_SYSTEM);
    assert_string_equal(diag.message,
                        "/nonexistent/x.yaml: cannot open: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_key),
        cmocka_unit_test(fills_in_defaults),
        cmocka_unit_test(takes_one_value_for_a_list),
        cmocka_unit_test(says_where_and_what),
        cmocka_unit_test(names_the_wrong_cpu_list),
        cmocka_unit_test(applies_settings_first),
        cmocka_unit_test(names_the_wrong_setting),
        cmocka_unit_test(round_trips),
        cmocka_unit_test(reports_an_unreadable_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
