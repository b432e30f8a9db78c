/* What `dnscope sweep --dry-run` prints. */
#ifndef SWEEP_DRY_RUN_H
#define SWEEP_DRY_RUN_H

#include <stdio.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "sweep/site.h"

/*
 * Prints the experiment, each setup with the CPUs and the two processes of its first start as lines
 * for a shell (PORT and DIR stand for what only a real sweep knows), and the order of the runs. 0
 * or launch_make()'s errors.
 */
int dry_run_print(const struct site *site, const char *const *environment, FILE *out,
                  struct diag *diag) MUST_CHECK;

/* The first line of a dry run and of a real one: how much there is to do and for how long. */
void print_headline(const struct site *site, FILE *out);

/* Seconds that a start of the target takes beside its runs, for estimates only. */
#define START_OVERHEAD_S 0.4

/* "45 s", "2 min 5 s", "1 h 3 min". */
#define DURATION_TEXT_SIZE 40
void duration_format(double seconds, char text[DURATION_TEXT_SIZE]);

#endif
