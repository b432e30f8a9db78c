/*
 * Student's t distribution for whole degrees of freedom. Pure; any thread.
 * Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4: finite
 * sums, exact but for rounding.
 */
#ifndef STATS_STUDENT_H
#define STATS_STUDENT_H

/* Degrees of freedom that stand for the limit: the normal distribution. */
#define STUDENT_DOF_INFINITE 0U

/* P(|T| <= t), t >= 0; cost is linear in `dof`. */
double student_central_probability(double t, unsigned dof);

/*
 * The t for which P(|T| <= t) is `probability`, which must be in [0, 1): the factor of a two-sided
 * interval of that confidence. Better than 1e-9 relative up to 0.9999.
 */
double student_two_sided_quantile(double probability, unsigned dof);

#endif
