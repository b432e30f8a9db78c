/*
 * The world around the scheduler under exploration: user threads whose stacks are the explorer's, a
 * poller that has nothing but its kick, a clock that goes on to the next deadline when the explorer
 * lets it, and empty stand-ins for what needs a real kernel.
 */
#ifndef TESTS_EXPLORE_WORLD_H
#define TESTS_EXPLORE_WORLD_H

#include <stdbool.h>
#include <stdint.h>

#include "pscope/uthread.h"

enum { USERS_MAX = 5 };

/* Before each execution: as in a new process, with no kernel thread and time 1. */
void world_reset(void);

/*
 * Starts `vcpus` virtual CPUs (first of all) and user threads that run(argument), which are made
 * runnable on the global queue at once.
 */
void world_start(unsigned vcpus);
struct uthread *world_user(void (*run)(void *argument), void *argument);

/* Fails unless every user thread has come to its end. */
void world_check_ended(void);

/* The present time; with world_clock() it goes on, to the earliest deadline of all, any time. */
uint64_t world_now(void);
void world_clock(void);

#endif
