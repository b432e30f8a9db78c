#include "../unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"
#include "load/monitor.h"

#define START_NS (1000 * NS_PER_S)
#define WORKERS  2

/* Workers that never run: their live counters are what the test writes there. */
struct fixture {
    struct load_plan plan;
    struct load_worker *workers[WORKERS];
    struct load_watcher watcher;
    struct monitor monitor;
    struct load_result *result;
    unsigned told; /* intervals that the watcher was told of */
};

static void on_interval(void *context, const struct load_interval *sum,
                        const struct load_interval *threads, uint32_t thread_count)
{
    struct fixture *fixture = context;
    assert_int_equal(thread_count, WORKERS);
    assert_int_equal(threads[0].completed + threads[1].completed, sum->completed);
    fixture->told++;
}

static void begin(struct fixture *fixture, double warmup_s, double limit_s)
{
    *fixture = (struct fixture){.result = calloc(1, sizeof(struct load_result))};
    struct load_plan *plan = &fixture->plan;
    plan->threads = WORKERS;
    plan->warmup_ns = (uint64_t)(warmup_s * NS_PER_S);
    plan->start_ns = START_NS;
    plan->measure_ns = START_NS + plan->warmup_ns;
    plan->stop_ns = limit_s > 0 ? plan->measure_ns + (uint64_t)(limit_s * NS_PER_S) : UINT64_MAX;
    for (size_t i = 0; i < WORKERS; i++) {
        fixture->workers[i] =
            aligned_alloc(_Alignof(struct load_worker), sizeof(struct load_worker));
        assert_non_null(fixture->workers[i]);
        memset(fixture->workers[i], 0, sizeof(struct load_worker));
    }
    fixture->watcher = (struct load_watcher){.on_interval = on_interval, .context = fixture};
    assert_int_equal(monitor_init(&fixture->monitor, plan, fixture->workers, &fixture->watcher, 0),
                     0);
}

static void end(struct fixture *fixture)
{
    monitor_free(&fixture->monitor);
    load_result_free(fixture->result);
    free(fixture->result);
    for (size_t i = 0; i < WORKERS; i++) {
        free(fixture->workers[i]);
    }
}

static void add(struct fixture *fixture, size_t worker, enum load_phase_kind phase, uint64_t count)
{
    struct load_live *live = &fixture->workers[worker]->live[phase];
    atomic_fetch_add(&live->sent, count);
    atomic_fetch_add(&live->completed, count);
}

static void tick_after(struct fixture *fixture, double late_s)
{
    uint64_t now_ns = fixture->monitor.next_tick_ns + (uint64_t)(late_s * NS_PER_S);
    assert_int_equal(monitor_tick(&fixture->monitor, now_ns), 0);
}

static void finish_at(struct fixture *fixture, double end_s)
{
    uint64_t end_ns = START_NS + (uint64_t)(end_s * NS_PER_S);
    assert_int_equal(monitor_finish(&fixture->monitor, end_ns, fixture->result), 0);
}

static void assert_interval(const struct fixture *fixture, size_t index, double start_s,
                            double end_s, uint64_t completed, bool omitted)
{
    assert_true(index < fixture->result->interval_count);
    const struct load_interval *interval = &fixture->result->intervals[index];
    assert_true(fabs(interval->start_s - start_s) < 1e-6);
    assert_true(fabs(interval->end_s - end_s) < 1e-6);
    assert_int_equal(interval->completed, completed);
    assert_int_equal(interval->sent, completed);
    assert_int_equal(interval->omitted, omitted);
}

static void the_warmup_ends_with_an_interval(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 1.5, 2);
    add(&fixture, 0, LOAD_WARMUP, 10);
    tick_after(&fixture, 0);
    add(&fixture, 1, LOAD_WARMUP, 5);
    tick_after(&fixture, 0);
    add(&fixture, 0, LOAD_WARMUP, 1); /* ends after the warm-up, and counts nowhere */
    add(&fixture, 0, LOAD_MEASURED, 7);
    tick_after(&fixture, 0);
    assert_int_equal(fixture.monitor.next_tick_ns, UINT64_MAX);
    add(&fixture, 1, LOAD_MEASURED, 8);
    finish_at(&fixture, 3.6);
    assert_int_equal(fixture.result->interval_count, 4);
    assert_interval(&fixture, 0, 0, 1, 10, true);
    assert_interval(&fixture, 1, 1, 1.5, 5, true);
    assert_interval(&fixture, 2, 1.5, 2.5, 7, false);
    assert_interval(&fixture, 3, 2.5, 3.6, 8, false);
    assert_int_equal(fixture.told, 4);
    end(&fixture);
}

static void a_late_look_does_not_shift_the_next(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 0, 0);
    tick_after(&fixture, 0.25);
    tick_after(&fixture, 1.5); /* an interval is missed */
    tick_after(&fixture, 0);
    finish_at(&fixture, 4.5);
    assert_int_equal(fixture.result->interval_count, 4);
    assert_interval(&fixture, 0, 0, 1.25, 0, false);
    assert_interval(&fixture, 1, 1.25, 3.5, 0, false);
    assert_interval(&fixture, 2, 3.5, 4, 0, false);
    assert_interval(&fixture, 3, 4, 4.5, 0, false);
    end(&fixture);
}

static void a_splinter_joins_the_last_interval(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 0, 0);
    add(&fixture, 0, LOAD_MEASURED, 3);
    tick_after(&fixture, 0);
    add(&fixture, 1, LOAD_MEASURED, 4);
    finish_at(&fixture, 1.05);
    assert_int_equal(fixture.result->interval_count, 1);
    assert_interval(&fixture, 0, 0, 1.05, 7, false);
    end(&fixture);
}

static void a_run_shorter_than_an_interval_has_one(void **state)
{
    (void)state;
    struct fixture fixture;
    begin(&fixture, 0, 0);
    add(&fixture, 0, LOAD_MEASURED, 3);
    finish_at(&fixture, 0.001);
    assert_int_equal(fixture.result->interval_count, 1);
    assert_interval(&fixture, 0, 0, 0.001, 3, false);
    end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_warmup_ends_with_an_interval),
        cmocka_unit_test(a_late_look_does_not_shift_the_next),
        cmocka_unit_test(a_splinter_joins_the_last_interval),
        cmocka_unit_test(a_run_shorter_than_an_interval_has_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
