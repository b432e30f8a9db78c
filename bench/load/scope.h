/*
 * The scope of the load tool's own threads. It is decided before main(), by libpscope and the
 * environment, so a process that wants another one has to execute itself again.
 */
#ifndef LOAD_SCOPE_H
#define LOAD_SCOPE_H

#include "core/attributes.h"
#include "core/diag.h"
#include "load/options.h"
#include "load/result.h"

/*
 * Where the options ask for a scope: executes this program anew with that environment and the same
 * arguments ("load" and what follows), unless it is the program so executed. Returns 0 to go on;
 * on failure a code of enum error with a diag. Before other threads start and input is read.
 */
int load_scope_enter(const struct load_options *options, char *const *argv,
                     struct diag *diag) MUST_CHECK NONNULL_ALL;

/* Fills in scope and vcpus, as the library itself tells; once the threads are there.
 * ERR_UNSUPPORTED when they are not of the scope that the options ask for. */
int load_scope_describe(const struct load_options *options, struct load_result *result,
                        struct diag *diag) MUST_CHECK NONNULL_ALL;

#endif
