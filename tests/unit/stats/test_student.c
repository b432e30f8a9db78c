/* Expected values: table of Student's t in the NIST/SEMATECH handbook, 1.3.6.7.2, and exact forms.
 */
#include "../unit.h"

#include <math.h>

#include "core/attributes.h"
#include "stats/student.h"

struct quantile_case {
    double probability;
    unsigned dof;
    double t;
};

static const struct quantile_case published[] = {
    {0.80, 1, 3.078},
    {0.90, 1, 6.314},
    {0.95, 1, 12.706},
    {0.99, 1, 63.657},
    {0.80, 2, 1.886},
    {0.95, 2, 4.303},
    {0.95, 4, 2.776},
    {0.99, 5, 4.032},
    {0.95, 8, 2.306},
    {0.998, 8, 4.501},
    {0.90, 10, 1.812},
    {0.98, 15, 2.602},
    {0.95, 30, 2.042},
    {0.95, 60, 2.000},
    {0.80, 99, 1.290},
    {0.95, 100, 1.984},
    {0.998, 100, 3.174},
    {0.90, STUDENT_DOF_INFINITE, 1.645},
    {0.95, STUDENT_DOF_INFINITE, 1.960},
    {0.98, STUDENT_DOF_INFINITE, 2.326},
    {0.99, STUDENT_DOF_INFINITE, 2.576},
    {0.998, STUDENT_DOF_INFINITE, 3.090},
};

static void quantiles_are_the_published_ones(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(published); i++) {
        double t = student_two_sided_quantile(published[i].probability, published[i].dof);
        assert_float_equal(t, published[i].t, 0.0005);
    }
}

/* One degree is Cauchy's distribution: 2/pi atan(t). Two: t / sqrt(2 + t^2). */
static void few_degrees_have_closed_forms(void **state)
{
    (void)state;
    for (double t = 0; t < 50; t += 0.37) {
        assert_float_equal(student_central_probability(t, 1), M_2_PI * atan(t), 1e-14);
        assert_float_equal(student_central_probability(t, 2), t / sqrt(2 + t * t), 1e-14);
    }
}

static void quantile_undoes_probability(void **state)
{
    (void)state;
    static const unsigned dofs[] = {1, 2, 3, 8, 57, 1000, 100001, STUDENT_DOF_INFINITE};
    for (size_t i = 0; i < ARRAY_LENGTH(dofs); i++) {
        double t = student_two_sided_quantile(0.97, dofs[i]);
        assert_float_equal(student_central_probability(t, dofs[i]), 0.97, 1e-10);
    }
}

static void many_degrees_approach_the_normal_distribution(void **state)
{
    (void)state;
    double normal = student_two_sided_quantile(0.95, STUDENT_DOF_INFINITE);
    assert_float_equal(student_two_sided_quantile(0.95, 1000000), normal, 1e-5);
    assert_float_equal(student_two_sided_quantile(0, 5), 0, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_the_published_ones),
        cmocka_unit_test(few_degrees_have_closed_forms),
        cmocka_unit_test(quantile_undoes_probability),
        cmocka_unit_test(many_degrees_approach_the_normal_distribution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
