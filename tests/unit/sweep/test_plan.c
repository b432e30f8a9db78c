#include "../unit.h"

#include <stdio.h>
#include <string.h>

#include "core/attributes.h"
#include "sweep/plan.h"

#define LEAST "name: x\ntarget: {kind: scoped}\nworkload: {zone: z, queries: q}\n"

static void make(const char *more, struct experiment *experiment, struct plan *plan)
{
    char text[1024];
    struct diag diag = {0};
    snprintf(text, sizeof(text), LEAST "%s", more);
    assert_int_equal(experiment_parse(experiment, text, strlen(text), "f", NULL, 0, &diag), 0);
    assert_int_equal(plan_make(experiment, plan, &diag), 0);
}

static void names_setups(void **state)
{
    (void)state;
    static const struct {
        const char *axes;
        const char *names[5];
    } cases[] = {
        {"axes: {scope: [process, system], vcpus: [1, 2]}\n",
         {"process-scope-1-cpu", "system-scope-1-cpu", "process-scope-2-cpu",
          "system-scope-2-cpu"}},
        {"axes: {scope: system, malloc: [libc, jemalloc]}\n",
         {"system-scope-1-cpu-libc", "system-scope-1-cpu-jemalloc"}},
        {"axes: {scope: process, smt: [on, mask], confine: [none, vcpus]}\n",
         {"process-scope-1-cpu-on-none", "process-scope-1-cpu-mask-none",
          "process-scope-1-cpu-on-vcpus", "process-scope-1-cpu-mask-vcpus"}},
        {"axes: {scope: system, placement: [same-socket, {server: '0,2-3', client: '1'}]}\n",
         {"system-scope-1-cpu-same-socket", "system-scope-1-cpu-server-0,2-3-client-1"}},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct experiment experiment;
        struct plan plan;
        make(cases[i].axes, &experiment, &plan);
        size_t count = 0;
        for (; cases[i].names[count] != NULL; count++) {
            assert_true(count < plan.setup_count);
            assert_string_equal(plan.setups[count].name, cases[i].names[count]);
        }
        assert_int_equal(plan.setup_count, count);
        plan_free(&plan);
        experiment_free(&experiment);
    }
}

static void every_block_has_every_setup_once(void **state)
{
    (void)state;
    struct experiment experiment;
    struct plan plan;
    make("axes: {vcpus: [1, 2, 3]}\nrepetitions: 40\n", &experiment, &plan);
    assert_int_equal(plan.setup_count, 6);
    assert_int_equal(plan.start_count, 240);
    unsigned first_is_first = 0;
    for (unsigned block = 0; block < 40; block++) {
        unsigned seen = 0;
        for (size_t i = 0; i < 6; i++) {
            const struct plan_start *start = &plan.starts[block * 6 + i];
            assert_int_equal(start->block, block + 1);
            seen |= 1U << start->setup;
        }
        assert_int_equal(seen, 0x3f);
        first_is_first += plan.starts[block * 6].setup == 0;
    }
    assert_in_range(first_is_first, 1, 20);
    plan_free(&plan);
    experiment_free(&experiment);
}

/*
 * Worked out apart from this program (a Python transcript of splitmix64 and Fisher-Yates from the
 * end): the order that seed 1 gives for four setups must never change.
 */
static void seed_one_gives_its_order(void **state)
{
    (void)state;
    static const size_t expected[] = {2, 0, 3, 1, 1, 2, 0, 3, 3, 2, 0, 1};
    struct experiment experiment;
    struct plan plan;
    make("axes: {vcpus: [1, 2]}\nrepetitions: 3\nseed: 1\n", &experiment, &plan);
    assert_int_equal(plan.start_count, ARRAY_LENGTH(expected));
    for (size_t i = 0; i < ARRAY_LENGTH(expected); i++) {
        assert_int_equal(plan.starts[i].setup, expected[i]);
    }
    plan_free(&plan);
    experiment_free(&experiment);
}

static void more_blocks_keep_the_first_ones(void **state)
{
    (void)state;
    struct experiment few;
    struct experiment many;
    struct plan few_plan;
    struct plan many_plan;
    make("axes: {vcpus: [1, 2]}\nrepetitions: 3\nseed: 5\n", &few, &few_plan);
    make("axes: {vcpus: [1, 2]}\nrepetitions: 30\nseed: 5\n", &many, &many_plan);
    for (size_t i = 0; i < few_plan.start_count; i++) {
        assert_int_equal(few_plan.starts[i].setup, many_plan.starts[i].setup);
    }
    plan_free(&few_plan);
    plan_free(&many_plan);
    experiment_free(&few);
    experiment_free(&many);
}

static void sequential_is_one_setup_after_the_other(void **state)
{
    (void)state;
    static const struct plan_start expected[] = {{0, 1}, {0, 2}, {1, 1}, {1, 2}};
    struct experiment experiment;
    struct plan plan;
    make("repetitions: 2\norder: sequential\n", &experiment, &plan);
    assert_int_equal(plan.start_count, ARRAY_LENGTH(expected));
    for (size_t i = 0; i < ARRAY_LENGTH(expected); i++) {
        assert_int_equal(plan.starts[i].setup, expected[i].setup);
        assert_int_equal(plan.starts[i].block, expected[i].block);
    }
    plan_free(&plan);
    experiment_free(&experiment);
}

static void workers_follow_vcpus(void **state)
{
    (void)state;
    struct experiment experiment;
    struct plan plan;
    make("axes: {scope: system, vcpus: [1, 3]}\n", &experiment, &plan);
    assert_int_equal(plan_workers(&experiment, &plan.setups[1]), 3);
    for (unsigned workers = 1; workers <= 8; workers++) {
        experiment.target.workers = workers;
        assert_int_equal(plan_workers(&experiment, &plan.setups[1]), workers);
    }
    plan_free(&plan);
    experiment_free(&experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_setups),
        cmocka_unit_test(every_block_has_every_setup_once),
        cmocka_unit_test(seed_one_gives_its_order),
        cmocka_unit_test(more_blocks_keep_the_first_ones),
        cmocka_unit_test(sequential_is_one_setup_after_the_other),
        cmocka_unit_test(workers_follow_vcpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
