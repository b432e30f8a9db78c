/* The diagnosis of an option that getopt_long(3) refused. */
#ifndef BENCH_SYSTEM_OPTION_ERROR_H
#define BENCH_SYSTEM_OPTION_ERROR_H

#include "core/diag.h"

/*
 * `result` is what getopt_long() returned, '?' or, with an option string that begins with ':' (or
 * "+:"), ':' for a missing value; opterr must be 0. Reads getopt's globals right after that call.
 * Fills the diag and returns ERR_SYNTAX.
 */
int option_fail(int result, char *const *argv, struct diag *diag);

#endif
