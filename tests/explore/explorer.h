/*
 * Deterministic exploration of schedules. A scenario is executed again and again, each time with
 * another order of the steps of its kernel threads, until every order with at most `preemptions`
 * switches away from a kernel thread that could have gone on was seen (switches where a kernel
 * thread must wait are free). Kernel threads are contexts of one real thread, so the order is the
 * explorer's alone and an execution can be repeated.
 *
 * Single-threaded; everything is reset between executions.
 */
#ifndef TESTS_EXPLORE_EXPLORER_H
#define TESTS_EXPLORE_EXPLORER_H

#include <stdbool.h>
#include <stdint.h>

struct scenario {
    const char *name;
    void (*begin)(void); /* on no kernel thread: creates them */
    void (*check)(void); /* when none can go on any more: fails when something is missing */
};

/* False, and the schedule on standard output, as soon as an execution fails. */
bool explore(const struct scenario *scenario, unsigned preemptions);

/* Another kernel thread; `name` must stay valid. */
void explore_spawn(const char *name, void (*run)(void *argument), void *argument);

/* The calling kernel thread waits until ready(argument). */
void explore_wait(bool (*ready)(void *argument), void *argument);

/* Ends the execution as a failure. From a kernel thread or a scenario's check(). */
_Noreturn void explore_fail(const char *what);

#define EXPLORE_REQUIRE(condition) ((condition) ? (void)0 : explore_fail("not true: " #condition))

/* Where another kernel thread may go on before the caller does. */
void explore_point(void);

/* A counter that is the same at the same step of a schedule: how many points there were. */
unsigned explore_steps(void);

#endif
