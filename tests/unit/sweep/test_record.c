#include "../unit.h"

#include <string.h>

#include "core/attributes.h"
#include "core/error.h"
#include "sweep/record.h"

static const char experiment_text[] =
    "name: x\ntarget: {kind: scoped, model: shared}\nworkload: {zone: z, queries: q}\n"
    "load: {warmup_s: 0.5, duration_s: 2}\naxes: {scope: [process, system], vcpus: [2]}\n";

/* An experiment whose second setup has CPUs 0-1 for the server and 1 for the client. */
struct fixture {
    struct experiment experiment;
    struct plan plan;
    struct placement placements[2];
    struct site site;
    struct plan_start start;
    char program[32];
};

static void set_up(struct fixture *fixture)
{
    struct diag diag = {0};
    memset(fixture, 0, sizeof(*fixture));
    strcpy(fixture->program, "/bin/scoped");
    assert_int_equal(experiment_parse(&fixture->experiment, experiment_text,
                                      strlen(experiment_text), "f", NULL, 0, &diag),
                     0);
    assert_int_equal(plan_make(&fixture->experiment, &fixture->plan, &diag), 0);
    cpu_set_add(&fixture->placements[1].server, 0);
    cpu_set_add(&fixture->placements[1].server, 1);
    cpu_set_add(&fixture->placements[1].client, 1);
    fixture->placements[1].flags = PLACEMENT_SHARED_CORE;
    fixture->site = (struct site){
        .experiment = &fixture->experiment,
        .plan = &fixture->plan,
        .target = &target_scoped,
        .program = fixture->program,
        .placements = fixture->placements,
    };
    fixture->start = (struct plan_start){1, 3};
}

static void tear_down(struct fixture *fixture)
{
    plan_free(&fixture->plan);
    experiment_free(&fixture->experiment);
}

static json_t *parse_json(const char *text)
{
    json_t *value = json_loads(text, 0, NULL);
    assert_non_null(value);
    return value;
}

static const char load_text[] =
    "{\"version\":\"1.2\",\"qps\":1234.5,\"run_time_s\":2.0,\"counts\":{\"sent\":2469},\"rcodes\":{"
    "\"NOERROR\":2469},"
    "\"latency_us\":{\"p99\":1500.0},\"request_bytes_mean\":40.0,\"response_bytes_mean\":80.0,"
    "\"intervals\":[],\"client\":{\"pid\":5},\"flags\":[\"lossy\"],\"interrupted\":false}";

static void puts_everything_in_its_place(void **state)
{
    (void)state;
    struct fixture fixture;
    set_up(&fixture);
    json_t *load = parse_json(load_text);
    json_t *host = parse_json("{\"steal_pct\":1.5}");
    struct record_input input = {
        .site = &fixture.site,
        .start = &fixture.start,
        .run = 1,
        .position = 6,
        .started_at = "2026-01-31T23:59:59.123Z",
        .load = load,
        .target_pid = 77,
        .ready_s = 0.25,
        .version = "scoped 9",
        .exit = "exited with status 0",
        .host = host,
    };
    struct diag diag = {0};
    json_t *record = record_make(&input, &diag);
    assert_non_null(record);
    static const char expected[] =
        "{\"block\":3,\"setup\":\"system-scope-2-cpu\",\"run\":1,\"position\":6,\"counted\":true,"
        "\"axes\":{\"scope\":\"system\",\"vcpus\":2,\"smt\":\"mask\",\"placement\":\"same-socket\","
        "\"malloc\":\"libc\",\"confine\":\"none\"},\"seed\":1,"
        "\"started_at\":\"2026-01-31T23:59:59.123Z\",\"warmup_s\":0.5,\"duration_s\":2.0,"
        "\"qps\":1234.5,\"run_time_s\":2.0,\"counts\":{\"sent\":2469},"
        "\"rcodes\":{\"NOERROR\":2469},\"latency_us\":{\"p99\":1500.0},"
        "\"request_bytes_mean\":40.0,\"response_bytes_mean\":80.0,\"intervals\":[],"
        "\"client\":{\"pid\":5,\"version\":\"dnscope 1.2\",\"cpus\":\"1\"},"
        "\"target\":{\"pid\":77,\"kind\":\"scoped\",\"model\":\"shared\",\"version\":\"scoped 9\","
        "\"program\":\"/bin/scoped\",\"workers\":2,\"cpus\":\"0-1\",\"ready_s\":0.25,"
        "\"sample_s\":0.0,\"exit\":\"exited with status "
        "0\",\"pscope\":null},\"host\":{\"steal_pct\":1.5},"
        "\"flags\":[\"lossy\",\"shared-core\",\"steal\"]}";
    json_t *right = parse_json(expected);
    assert_true(json_equal(record, right));
    json_decref(right);
    struct run_summary summary;
    assert_int_equal(record_read(record, &fixture.plan, &summary, &diag), 0);
    assert_int_equal(summary.setup, 1);
    assert_int_equal(summary.block, 3);
    assert_int_equal(summary.run, 1);
    assert_true(summary.counted);
    assert_true(summary.qps == 1234.5);
    assert_true(summary.p99_us == 1500);
    assert_string_equal(summary.flags, "lossy shared-core steal");
    json_decref(record);
    json_decref(load);
    json_decref(host);
    tear_down(&fixture);
}

static void does_not_count_what_was_cut(void **state)
{
    (void)state;
    static const struct {
        const char *load;
        bool died;
        bool interrupted;
        const char *flag;
    } cases[] = {
        {load_text, true, false, "target-died"},
        {load_text, false, true, "interrupted"},
        {NULL, true, false, "target-died"},
    };
    struct fixture fixture;
    set_up(&fixture);
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        json_t *load = cases[i].load != NULL ? parse_json(cases[i].load) : NULL;
        struct record_input input = {
            .site = &fixture.site,
            .start = &fixture.start,
            .run = 1,
            .started_at = "2026-01-31T23:59:59.123Z",
            .load = load,
            .target_died = cases[i].died,
            .interrupted = cases[i].interrupted,
        };
        struct diag diag = {0};
        struct run_summary summary;
        json_t *record = record_make(&input, &diag);
        assert_int_equal(record_read(record, &fixture.plan, &summary, &diag), 0);
        assert_false(summary.counted);
        assert_non_null(strstr(summary.flags, cases[i].flag));
        json_decref(record);
        json_decref(load);
    }
    tear_down(&fixture);
}

static void sees_a_slow_start(void **state)
{
    (void)state;
    static const struct {
        const char *intervals;
        bool slow;
    } cases[] = {
        {"[]", false},
        {"[{\"qps\":1,\"omitted\":false}]", false},
        {"[{\"qps\":1,\"omitted\":false},{\"qps\":100,\"omitted\":false}]", false},
        {"[{\"qps\":80,\"omitted\":false},{\"qps\":90,\"omitted\":false},"
         "{\"qps\":110,\"omitted\":false}]",
         true},
        {"[{\"qps\":82,\"omitted\":false},{\"qps\":90,\"omitted\":false},"
         "{\"qps\":110,\"omitted\":false}]",
         false},
        {"[{\"qps\":1,\"omitted\":true},{\"qps\":100,\"omitted\":false},"
         "{\"qps\":100,\"omitted\":false},{\"qps\":100,\"omitted\":false}]",
         false},
    };
    struct fixture fixture;
    set_up(&fixture);
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        json_t *load = parse_json(load_text);
        json_object_set_new(load, "intervals", parse_json(cases[i].intervals));
        struct record_input input = {
            .site = &fixture.site,
            .start = &fixture.start,
            .run = 1,
            .started_at = "now",
            .load = load,
        };
        struct diag diag = {0};
        struct run_summary summary;
        json_t *record = record_make(&input, &diag);
        assert_int_equal(record_read(record, &fixture.plan, &summary, &diag), 0);
        assert_int_equal(strstr(summary.flags, "slow-start") != NULL, cases[i].slow);
        json_decref(record);
        json_decref(load);
    }
    tear_down(&fixture);
}

/* Setup 0 has process scope, setup 1 system scope. */
static void misses_the_library_where_it_should_have_spoken(void **state)
{
    (void)state;
    static const struct {
        size_t setup;
        const char *exit;
        bool died;
        bool unclean;
        bool has_counters;
        bool flagged;
    } cases[] = {
        {0, "exited with status 0", false, false, false, true},
        {0, "exited with status 0", false, false, true, false},
        {0, NULL, false, false, false, false}, /* it still runs */
        {0, "was killed by signal 9", true, false, false, false},
        {0, "was killed by signal 9", false, true, false, false},
        {1, "exited with status 0", false, false, false, false},
    };
    struct fixture fixture;
    set_up(&fixture);
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        json_t *load = parse_json(load_text);
        json_t *counters = parse_json("{\"switches\":1}");
        fixture.start.setup = cases[i].setup;
        struct record_input input = {
            .site = &fixture.site,
            .start = &fixture.start,
            .run = 1,
            .started_at = "now",
            .load = load,
            .exit = cases[i].exit,
            .target_died = cases[i].died,
            .unclean_stop = cases[i].unclean,
            .pscope = cases[i].has_counters ? counters : NULL,
        };
        struct diag diag = {0};
        struct run_summary summary;
        json_t *record = record_make(&input, &diag);
        assert_int_equal(record_read(record, &fixture.plan, &summary, &diag), 0);
        assert_int_equal(strstr(summary.flags, "pscope-unseen") != NULL, cases[i].flagged);
        json_decref(record);
        json_decref(counters);
        json_decref(load);
    }
    tear_down(&fixture);
}

static void refuses_foreign_records(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{}",
        "{\"setup\":\"system-scope-2-cpu\",\"block\":1,\"run\":1,\"counted\":true}",
        "{\"setup\":\"system-scope-2-cpu\",\"block\":\"1\",\"run\":1,\"counted\":true,\"qps\":1}",
        "{\"setup\":\"system-scope-9-cpu\",\"block\":1,\"run\":1,\"counted\":true,\"qps\":1}",
        "{\"setup\":\"system-scope-2-cpu\",\"block\":0,\"run\":1,\"counted\":true,\"qps\":1}",
        "{\"setup\":\"system-scope-2-cpu\",\"block\":1,\"run\":-1,\"counted\":true,\"qps\":1}",
    };
    struct fixture fixture;
    set_up(&fixture);
    for (size_t i = 0; i < ARRAY_LENGTH(texts); i++) {
        json_t *record = parse_json(texts[i]);
        struct run_summary summary;
        struct diag diag = {0};
        assert_true(record_read(record, &fixture.plan, &summary, &diag) < 0);
        assert_true(diag.message[0] != '\0');
        json_decref(record);
    }
    tear_down(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(puts_everything_in_its_place),
        cmocka_unit_test(does_not_count_what_was_cut),
        cmocka_unit_test(sees_a_slow_start),
        cmocka_unit_test(misses_the_library_where_it_should_have_spoken),
        cmocka_unit_test(refuses_foreign_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
