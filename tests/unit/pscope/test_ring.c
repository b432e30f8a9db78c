#include "../unit.h"

#include "pscope/ring.h"

struct item {
    int number;
    struct ring_link link;
};

static void expect(const struct ring *ring, const int *numbers, int count)
{
    struct ring_link *link = ring->first;
    int i;

    for (i = 0; i < count; i++) {
        assert_non_null(link);
        assert_int_equal(RING_MEMBER(link, struct item, link)->number, numbers[i]);
        link = ring_next(ring, link);
    }
    assert_null(link);
}

static void test_ring(void **state)
{
    struct item items[4] = {{.number = 0}, {.number = 1}, {.number = 2}, {.number = 3}};
    struct ring ring = {NULL};
    int i;

    (void)state;
    for (i = 0; i < 4; i++) {
        assert_false(ring_linked(&items[i].link));
        ring_append(&ring, &items[i].link);
        assert_true(ring_linked(&items[i].link));
    }
    expect(&ring, (int[]){0, 1, 2, 3}, 4);
    ring_remove(&ring, &items[1].link); /* in the middle */
    assert_false(ring_linked(&items[1].link));
    expect(&ring, (int[]){0, 2, 3}, 3);
    ring_remove(&ring, &items[0].link); /* the first */
    expect(&ring, (int[]){2, 3}, 2);
    ring_remove(&ring, &items[3].link); /* the last */
    expect(&ring, (int[]){2}, 1);
    ring_append(&ring, &items[0].link);
    expect(&ring, (int[]){2, 0}, 2);
    ring_remove(&ring, &items[2].link);
    ring_remove(&ring, &items[0].link);
    assert_null(ring.first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ring),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
