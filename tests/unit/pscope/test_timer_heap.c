#include "../unit.h"

#include <string.h>

#include "pscope/timer_heap.h"

#define TIMERS 700 /* more than the first capacity */

/* A generator with a fixed seed: the test is the same every time. */
static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223; /* Numerical Recipes, the quick and dirty one */
    return *state >> 8;
}

static void test_empty(void **state)
{
    struct timer_heap heap = {0};

    (void)state;
    assert_null(timer_heap_first(&heap));
    assert_true(timer_heap_reserve(&heap, 1));
    assert_null(timer_heap_first(&heap));
}

static void test_ordered(void **state)
{
    static struct timer timers[TIMERS];
    struct timer_heap heap = {0};
    uint32_t random = 1;
    uint64_t last = 0;
    int i;

    (void)state;
    for (i = 0; i < TIMERS; i++) {
        timers[i].deadline_ns = next_random(&random) % 100;
        assert_true(timer_heap_reserve(&heap, (size_t)i + 1));
        timer_heap_add(&heap, &timers[i]);
    }
    for (i = 0; i < TIMERS; i++) {
        struct timer *first = timer_heap_first(&heap);

        assert_true(first->deadline_ns >= last);
        last = first->deadline_ns;
        timer_heap_remove(&heap, first);
        assert_int_equal(first->place, 0);
    }
    assert_null(timer_heap_first(&heap));
}

/* Removals from the middle, against a plain search for the smallest. */
static void test_remove_anywhere(void **state)
{
    static struct timer timers[TIMERS];
    struct timer_heap heap = {0};
    uint32_t random = 2;
    int i, round;

    (void)state;
    memset(timers, 0, sizeof timers);
    assert_true(timer_heap_reserve(&heap, TIMERS));
    for (round = 0; round < 20000; round++) {
        struct timer *timer = &timers[next_random(&random) % TIMERS], *first;
        uint64_t smallest = UINT64_MAX;

        if (timer->place) {
            timer_heap_remove(&heap, timer);
        } else {
            timer->deadline_ns = next_random(&random);
            timer_heap_add(&heap, timer);
        }
        if (round % 50)
            continue;
        for (i = 0; i < TIMERS; i++)
            if (timers[i].place && timers[i].deadline_ns < smallest)
                smallest = timers[i].deadline_ns;
        first = timer_heap_first(&heap);
        assert_true(first ? first->deadline_ns == smallest : smallest == UINT64_MAX);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_ordered),
        cmocka_unit_test(test_remove_anywhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
