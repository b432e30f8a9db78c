/*
 * The measurements of November 2004 (BIND 9 on FreeBSD's libpthread), recovered from the published
 * summary: minimum, maximum, median, mean and standard deviation fix five values up to rounding.
 */
#ifndef TESTS_DATA_2004_H
#define TESTS_DATA_2004_H

static const double process_1_cpu[] = {9531.2955, 9870.636117, 9895.4739, 9995.012983, 10089.776};
static const double system_1_cpu[] = {10925.816, 10978.100452, 11082.488, 11407.488548, 11449.187};
static const double process_2_cpu[] = {8319.6891, 8423.214671, 8476.9996, 8537.997929, 8558.6617};
static const double system_2_cpu[] = {10159.815, 10206.095820, 10284.944, 10315.662180, 10336.033};

#endif
