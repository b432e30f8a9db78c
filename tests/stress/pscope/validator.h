/*
 * What the validators share. A validator is one plain pthread program about one concept: it prints
 * what it found wrong and aborts, or ends with status 0 within seconds. It knows nothing of
 * libpscope; the test runner loads the library into it and says by VALIDATOR_SCOPE (nptl, system,
 * process or mixed) and VALIDATOR_VCPUS what the threads must turn out to be.
 *
 * Requirements are checked in every thread, so they abort the process rather than return.
 */
#ifndef TESTS_STRESS_PSCOPE_VALIDATOR_H
#define TESTS_STRESS_PSCOPE_VALIDATOR_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define REQUIRE(condition)                                                                         \
    ((condition) ? (void)0 : validator_fail(__FILE__, __LINE__, "not true: %s", #condition))

/* Integers only: both values are shown. */
#define REQUIRE_EQUAL(actual, expected)                                                            \
    validator_equal(__FILE__, __LINE__, #actual, (intmax_t)(actual), (intmax_t)(expected))

/* A call that returns -1 must have failed with this errno. */
#define REQUIRE_ERRNO(call, error)                                                                 \
    do {                                                                                           \
        errno = 0;                                                                                 \
        validator_equal(__FILE__, __LINE__, #call, (intmax_t)(call), -1);                          \
        validator_equal(__FILE__, __LINE__, "errno of " #call, errno, error);                      \
    } while (0)

enum validator_scope {
    VALIDATOR_NPTL,    /* no library: proves the validator itself */
    VALIDATOR_SYSTEM,  /* through the library, system scope forced */
    VALIDATOR_PROCESS, /* through the library, process scope forced */
    VALIDATOR_MIXED    /* through the library, each thread's attribute decides */
};

void validator_fail(const char *file, int line, const char *format, ...)
    __attribute__((noreturn, format(printf, 3, 4)));
void validator_equal(const char *file, int line, const char *what, intmax_t actual,
                     intmax_t expected);

enum validator_scope validator_scope(void);

/* Virtual CPUs that the process was given; 0 when it was given no number. */
unsigned validator_vcpus(void);

/* Creates a joinable thread with default attributes; waits for a thread and gives its value. */
pthread_t validator_spawn(void *(*run)(void *), void *argument);
void *validator_join(pthread_t thread);

int64_t validator_now_ns(clockid_t clock);
struct timespec validator_deadline(clockid_t clock, int64_t delay_ms);
void validator_sleep_ms(int64_t delay_ms);

/* The id of the kernel thread that runs the caller, asked of the kernel past every library. */
long validator_kernel_thread(void);

/*
 * How many kernel threads run `count` threads (at most 64) that are alive together; with
 * `attributes` or, when NULL, the default ones.
 */
unsigned validator_count_kernel_threads(unsigned count, const pthread_attr_t *attributes);

/* Last statement of main: the threads really were of the scope asked for. Returns 0. */
int validator_finish(void);

#endif
