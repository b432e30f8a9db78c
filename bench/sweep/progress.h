/*
 * What a sweep says while it runs: one line a run; on a terminal also a line that is drawn again
 * and again, with k/n, the time left and the present rate. From main's thread.
 */
#ifndef SWEEP_PROGRESS_H
#define SWEEP_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "sweep/record.h"

struct progress {
    FILE *out;
    bool live;   /* `out` is a terminal */
    bool colour; /* and NO_COLOR is not set */
    size_t total;
    size_t done;       /* runs, those of an earlier sweep included */
    size_t done_first; /* when this sweep began */
    uint64_t begin_ns;
    double run_s; /* expected time of a run */
    int name_width;
    int write_errno; /* of the first line that did not arrive at `out`; 0: all did */
};

/* `done` runs are there already; a run is expected to take `run_s` until experience says better;
 * the longest setup's name has `name_width` characters. */
void progress_init(struct progress *progress, FILE *out, size_t total, size_t done, double run_s,
                   int name_width);

/* A new step of the present run, as "warm-up"; `qps` < 0: not known. Nothing but on a terminal. */
void progress_step(const struct progress *progress, const char *setup, const char *step,
                   double qps);

/* Sends on what `out` holds, and keeps the reason when it does not arrive. */
void progress_flush(struct progress *progress);

/* A run has ended. */
void progress_run(struct progress *progress, const char *setup, const struct run_summary *run);

/* Takes the live line away, before anything else is printed. */
void progress_clear(const struct progress *progress);

#endif
