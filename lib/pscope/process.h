/* The process as a whole: what was configured, and whether its scheduler runs. */
#ifndef PSCOPE_PROCESS_H
#define PSCOPE_PROCESS_H

#include <pthread.h>
#include <stdbool.h>

#include "pscope/config.h"

/* Marks a function that takes the place of libc's. */
#define INTERPOSE __attribute__((visibility("default")))

/* True from the first process-scope create on; until then every wrapper is libc's function. */
extern bool process_active __attribute__((visibility("hidden")));

/* The name that new kernel threads of the program get: that of the thread which started us. */
extern char process_thread_name[16] __attribute__((visibility("hidden")));

/* The configuration; reads it on the first call, and ends the process if it is wrong. */
const struct config *process_config(void);

/*
 * For a program that wants to know what became of its threads; found with dlsym(3). The number of
 * virtual CPUs that run its process-scope threads; 0 before the first such thread was created, and
 * where all are system scope. Any thread.
 */
unsigned pscope_virtual_cpus(void);

/*
 * Starts carriers and signal thread, once. False when this machine cannot do it; then threads are
 * system scope, which is said once.
 */
bool process_start(void);

/* The calling thread is alone in the child of a fork: no carriers, no user threads. */
void process_forked(void);

#endif
