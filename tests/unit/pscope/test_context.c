/* The context switch by itself: values in callee-saved registers, stacks, rounding modes. */
#include "../unit.h"

#include <fenv.h>

#include "pscope/context.h"

static void *main_context, *other_context;
static _Alignas(16) char stack[65536];
static int steps;
static int other_rounding;

static void other(void *argument)
{
    int *counter = argument;

    /* The ABI's alignment at a function's entry: (sp + 8) is a multiple of 16. */
    assert_int_equal(((uintptr_t)__builtin_frame_address(0)) % 16, 0);
    other_rounding = fegetround();
    fesetround(FE_UPWARD);
    for (;;) {
        ++*counter;
        context_swap(&other_context, main_context);
        assert_int_equal(fegetround(), FE_UPWARD);
    }
}

/* Keeps more values alive over the switch than there are callee-saved registers. */
static long sum_over_switches(long a, long b, long c, long d, long e, long f)
{
    long g = a + b, h = c + d, sum = 0;
    int i;

    for (i = 0; i < 1000; i++) {
        context_swap(&main_context, other_context);
        sum += a + 2 * b + 3 * c + 5 * d + 7 * e + 11 * f + 13 * g + 17 * h + i;
    }
    return sum;
}

static void test_switch(void **state)
{
    (void)state;
    context_call(&main_context, stack + sizeof stack, other, &steps);
    assert_int_equal(steps, 1);
    assert_int_equal(other_rounding, FE_TONEAREST);
    assert_int_equal(fegetround(), FE_TONEAREST);
    /* 1000 (1 + 4 + 9 + 20 + 35 + 66 + 13*3 + 17*7) + 999*1000/2 */
    assert_int_equal(sum_over_switches(1, 2, 3, 4, 5, 6), 1000L * 293 + 499500);
    assert_int_equal(steps, 1001);
    assert_int_equal(fegetround(), FE_TONEAREST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_switch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
