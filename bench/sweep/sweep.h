/* A whole sweep: results directory, all runs of the plan, what is said at the end. */
#ifndef SWEEP_SWEEP_H
#define SWEEP_SWEEP_H

#include "core/attributes.h"
#include "core/diag.h"
#include "sweep/site.h"

struct sweep_options {
    const char *directory; /* new; NULL: results/NAME-TIME */
    const char *resume;    /* of an earlier sweep; NULL: a new one */
    const char *const *environment;
};

/*
 * What else would keep a sweep from its first run: a results directory that is there already, a
 * port that is taken or not ours to have. Changes nothing. 0, or the error that sweep_run() would
 * end with.
 */
int sweep_check(const struct site *site, const struct sweep_options *options,
                struct diag *diag) MUST_CHECK;

/*
 * Does the runs in the plan's order, each recorded as soon as it is over, then prints the table,
 * the comparison and the paths on standard output. However it ends, the results directory is
 * readable and no process is left. 0; ERR_TARGET when the server failed, ERR_INTERRUPTED by a
 * signal (interrupt_install() is done here), or another error. From main's thread, once.
 */
int sweep_run(const struct site *site, const struct sweep_options *options,
              struct diag *diag) MUST_CHECK;

#endif
