/*
 * The two processes of a run, described before they start: a function of what the survey found and
 * of the names given here. Pure but for the inherited environment, which is an argument.
 */
#ifndef SWEEP_DESCRIBE_H
#define SWEEP_DESCRIBE_H

#include "core/attributes.h"
#include "core/diag.h"
#include "sweep/site.h"
#include "system/launch.h"

/* Names that belong to one start of the target and its runs; all borrowed. */
struct run_names {
    const char *port;             /* a number, or a word in its place */
    const char *target_directory; /* private to the target */
    const char *target_log;
    const char *pscope_stats; /* written by libpscope under process scope */
    const char *load_log;
    const char *load_json;
};

/* The server of setup number `setup`. 0 and the caller frees `launch`, or launch_make()'s errors.
 */
int describe_target(const struct site *site, size_t setup, const struct run_names *names,
                    const char *const *environment, struct launch *launch,
                    struct diag *diag) MUST_CHECK;

/* The load tool against it. It always has kernel threads: only the server is varied. */
int describe_load(const struct site *site, size_t setup, const struct run_names *names,
                  const char *const *environment, struct launch *launch,
                  struct diag *diag) MUST_CHECK;

/* What the target's configuration is made from. */
struct target_place describe_place(const struct site *site, size_t setup,
                                   const struct run_names *names);

#endif
