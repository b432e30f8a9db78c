/*
 * Programs that cannot be lost. Between dnscope and each of them stands a keeper, a fork of
 * dnscope that sleeps until dnscope says stop or is gone, and then kills and reaps the program and
 * every descendant of it, also those that made themselves daemons: it is their subreaper.
 * To be used while the process has one thread. Calls may wait, none spins.
 */
#ifndef BENCH_SYSTEM_PROCESS_H
#define BENCH_SYSTEM_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "system/launch.h"

/* A started program; zeroed: none. */
struct process {
    pid_t pid; /* the program itself, leader of its process group; 0: none */
    int pid_fd;
    pid_t keeper;
    int keeper_fd; /* both ways: closing it is the order to end */
};

struct process_exit {
    int wait_status; /* as of waitpid(2) */
    double user_s;   /* CPU time of the program and of the descendants that it waited for */
    double system_s;
    long max_rss_kib;
};

/*
 * Starts it: affinity set in the child and read back, working directory, log, standard input from
 * /dev/null, new process group. Returns when the program is executing: 0; ERR_NOT_FOUND when the
 * program is not there, ERR_UNSUPPORTED when CPUs were dropped from the mask, ERR_SYSTEM else.
 */
int process_start(const struct launch *launch, struct process *process,
                  struct diag *diag) MUST_CHECK;

/*
 * Waits up to `timeout_us` for its end without reaping it: 0 when it has ended, ERR_TIMEOUT,
 * ERR_INTERRUPTED as soon as interrupt_pending() (bench/system/interrupt.h), ERR_SYSTEM.
 */
int process_wait(const struct process *process, uint64_t timeout_us, struct diag *diag) MUST_CHECK;

/*
 * Ends it whether it still runs or not: SIGTERM to its group, SIGKILL to whoever is left after
 * `grace_us`, and reaps it and every descendant, also those that left the group. `process` is
 * zeroed; `result` may be NULL. Does nothing on a zeroed process. 0 or ERR_SYSTEM.
 */
int process_stop(struct process *process, uint64_t grace_us, struct process_exit *result,
                 struct diag *diag);

/* "exited with status 1", "was killed by signal 11 (Segmentation fault)". */
#define PROCESS_EXIT_TEXT_SIZE 96
void process_exit_format(const struct process_exit *result, char text[PROCESS_EXIT_TEXT_SIZE]);

#endif
