/*
 * The record of one run, a line of runs.jsonl: what the load tool, the samples of the target and of
 * the machine say, put together under docs/schema/run.schema.json. Pure but for memory.
 */
#ifndef SWEEP_RECORD_H
#define SWEEP_RECORD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "sweep/site.h"
#include "system/proc_sample.h"

#define RECORD_FLAGS_SIZE 256

/* Shares from which a flag is set. */
#define RECORD_STEAL_PCT        1.0
#define RECORD_SLOW_START_RATIO 0.9

/* What is known about a run when it is over. NULL stands for what could not be had. */
struct record_input {
    const struct site *site;
    const struct plan_start *start;
    unsigned run;    /* from 1, within the start */
    size_t position; /* from 1, in the order of the whole sweep */
    const char *started_at;
    const json_t *load;               /* the load tool's object */
    pid_t target_pid;                 /* also when it has ended since */
    const struct proc_sample *target; /* since the warm-up's end */
    double sample_s;                  /* time that `target` covers */
    double ready_s;                   /* from the target's start to its first answer */
    const char *version;              /* of the target */
    const json_t *pscope;             /* libpscope's counters, of the whole start */
    json_t *host;
    const char *exit; /* how the target ended, in words; NULL: it goes on to the next run */
    bool target_died;
    bool unclean_stop; /* the target had to be killed, or its exit status was not 0 */
    bool interrupted;
};

/* A new reference, or NULL with a diag (ERR_MEMORY). */
json_t *record_make(const struct record_input *input, struct diag *diag) MUST_CHECK;

/* The part of a record that the sweep itself reads again. */
struct run_summary {
    size_t setup;
    unsigned block;
    unsigned run;
    bool counted;
    double qps; /* 0 when nothing was measured */
    double p99_us;
    char flags[RECORD_FLAGS_SIZE]; /* "lossy shared-core", cut when longer */
};

/* 0; ERR_SYNTAX when a member is missing or wrong, ERR_NOT_FOUND when the plan has no such run; the
 * diag has no place. */
int record_read(const json_t *record, const struct plan *plan, struct run_summary *summary,
                struct diag *diag) MUST_CHECK;

#endif
