#include "../unit.h"

#include <pthread.h>

#include "core/attributes.h"
#include "pscope/runqueue.h"

static void test_first_in_first_out(void **state)
{
    struct runqueue queue = {0};
    struct run_link links[5];
    size_t i;

    (void)state;
    assert_null(runqueue_pop(&queue));
    for (i = 0; i < ARRAY_LENGTH(links); i++)
        runqueue_push(&queue, &links[i]);
    assert_int_equal(runqueue_length(&queue), 5);
    for (i = 0; i < ARRAY_LENGTH(links); i++)
        assert_ptr_equal(runqueue_pop(&queue), &links[i]);
    assert_null(runqueue_pop(&queue));
    runqueue_push(&queue, &links[0]); /* usable again after it was empty */
    assert_ptr_equal(runqueue_pop(&queue), &links[0]);
}

/* The thief gets the older half, rounded up: one in hand, the others on its own queue. */
static void test_steal_half(void **state)
{
    static const struct {
        unsigned before, left, queued;
    } cases[] = {{0, 0, 0}, {1, 0, 0}, {2, 1, 0}, {3, 1, 1}, {4, 2, 1}, {5, 2, 2}, {8, 4, 3}};
    size_t i;

    (void)state;
    for (i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct runqueue from = {0}, to = {0};
        struct run_link links[8], *stolen;
        unsigned k;

        for (k = 0; k < cases[i].before; k++)
            runqueue_push(&from, &links[k]);
        stolen = runqueue_steal(&to, &from);
        assert_ptr_equal(stolen, cases[i].before ? &links[0] : NULL);
        assert_int_equal(runqueue_length(&from), cases[i].left);
        assert_int_equal(runqueue_length(&to), cases[i].queued);
        for (k = 0; k < cases[i].queued; k++)
            assert_ptr_equal(runqueue_pop(&to), &links[1 + k]);
        for (k = 0; k < cases[i].left; k++)
            assert_ptr_equal(runqueue_pop(&from), &links[1 + cases[i].queued + k]);
        assert_null(runqueue_pop(&from));
    }
}

#define ITEMS 20000

static struct runqueue shared, thief;

static void *produce(void *argument)
{
    struct run_link *links = argument;
    int i;

    for (i = 0; i < ITEMS; i++)
        runqueue_push(&shared, &links[i]);
    return NULL;
}

/* Two producers, one owner and one thief: every member comes out once. */
static void test_concurrent(void **state)
{
    static struct run_link links[2][ITEMS];
    static unsigned char seen[2][ITEMS];
    pthread_t producers[2];
    int i, k, taken = 0;

    (void)state;
    for (i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&producers[i], NULL, produce, links[i]), 0);
    while (taken < 2 * ITEMS) {
        struct run_link *link = taken % 3 ? runqueue_pop(&shared) : runqueue_steal(&thief, &shared);

        if (!link)
            link = runqueue_pop(&thief);
        if (!link)
            link = runqueue_pop(&shared);
        if (!link)
            continue;
        k = link >= links[1] && link < links[1] + ITEMS;
        assert_int_equal(seen[k][link - links[k]]++, 0);
        taken++;
    }
    for (i = 0; i < 2; i++)
        pthread_join(producers[i], NULL);
    assert_null(runqueue_pop(&shared));
    assert_null(runqueue_pop(&thief));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_in_first_out),
        cmocka_unit_test(test_steal_half),
        cmocka_unit_test(test_concurrent),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
