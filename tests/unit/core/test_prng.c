#include "../unit.h"

#include "core/attributes.h"
#include "core/prng.h"

/* Published values of splitmix64: the first outputs of the reference program for these seeds. */
static void gives_the_published_sequence(void **state)
{
    (void)state;
    static const uint64_t expected[] = {
        UINT64_C(6457827717110365317),  UINT64_C(3203168211198807973),
        UINT64_C(9817491932198370423),  UINT64_C(4593380528125082431),
        UINT64_C(16408922859458223821),
    };
    struct prng prng = {1234567};
    for (size_t i = 0; i < ARRAY_LENGTH(expected); i++) {
        assert_true(prng_next(&prng) == expected[i]);
    }
    struct prng zero = {0};
    assert_true(prng_next(&zero) == UINT64_C(0xe220a8397b1dcdaf));
}

static void stays_below_its_bound(void **state)
{
    (void)state;
    static const uint64_t bounds[] = {1, 2, 3, 10, UINT64_C(1) << 63, UINT64_MAX};
    struct prng prng = {1};
    for (size_t i = 0; i < ARRAY_LENGTH(bounds); i++) {
        for (int draw = 0; draw < 1000; draw++) {
            assert_true(prng_below(&prng, bounds[i]) < bounds[i]);
        }
    }
}

/* 6000 shuffles of three items: each of the six orders is expected 1000 times; 5 standard
 * deviations (sqrt(6000 * 1/6 * 5/6) = 28.9) leave one false alarm in millions of seeds. */
static void shuffles_fairly(void **state)
{
    (void)state;
    unsigned seen[27] = {0};
    struct prng prng = {42};
    for (int round = 0; round < 6000; round++) {
        size_t items[] = {0, 1, 2};
        prng_shuffle(&prng, items, 3);
        seen[items[0] * 9 + items[1] * 3 + items[2]]++;
    }
    unsigned orders = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(seen); i++) {
        if (seen[i] > 0) {
            orders++;
            assert_in_range(seen[i], 1000 - 145, 1000 + 145);
        }
    }
    assert_int_equal(orders, 6);
}

static void shuffles_nothing(void **state)
{
    (void)state;
    struct prng prng = {9};
    size_t one[] = {7};
    prng_shuffle(&prng, one, 0);
    prng_shuffle(&prng, one, 1);
    assert_int_equal(one[0], 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_the_published_sequence),
        cmocka_unit_test(stays_below_its_bound),
        cmocka_unit_test(shuffles_fairly),
        cmocka_unit_test(shuffles_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
