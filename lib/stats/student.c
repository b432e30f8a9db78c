#include "stats/student.h"

#include <math.h>

#include "core/check.h"

/* 26.7.4: sin(theta) (1 + 1/2 cos^2 + 1*3/(2*4) cos^4 + ...), the last power being dof - 2. */
static double even_probability(double sine, double cosine, unsigned dof)
{
    double term = 1;
    double sum = 1;
    for (unsigned power = 2; power <= dof - 2; power += 2) {
        term *= cosine * cosine * (power - 1) / power;
        sum += term;
    }
    return sine * sum;
}

/* 26.7.3: 2/pi (theta + sin(theta) (cos + 2/3 cos^3 + 2*4/(3*5) cos^5 + ...)), likewise. */
static double odd_probability(double theta, double sine, double cosine, unsigned dof)
{
    double term = cosine;
    double sum = dof > 1 ? cosine : 0;
    for (unsigned power = 3; dof > 1 && power <= dof - 2; power += 2) {
        term *= cosine * cosine * (power - 1) / power;
        sum += term;
    }
    return M_2_PI * (theta + sine * sum);
}

double student_central_probability(double t, unsigned dof)
{
    if (dof == STUDENT_DOF_INFINITE) {
        return erf(t * M_SQRT1_2);
    }
    double theta = atan2(t, sqrt(dof));
    double sine = sin(theta);
    double cosine = cos(theta);
    return dof % 2 == 0 ? even_probability(sine, cosine, dof)
                        : odd_probability(theta, sine, cosine, dof);
}

double student_two_sided_quantile(double probability, unsigned dof)
{
    CHECK(probability >= 0 && probability < 1);
    double low = 0;
    double high = 1;
    while (student_central_probability(high, dof) < probability) {
        low = high;
        high *= 2;
    }
    /* Halving is slow and cannot fail: the probability rises with t. */
    for (int step = 0; step < 60; step++) {
        double middle = (low + high) / 2;
        if (student_central_probability(middle, dof) < probability) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}
