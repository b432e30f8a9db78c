/* Giving up what only the start needs. */
#ifndef RESOLVER_PRIVILEGES_H
#define RESOLVER_PRIVILEGES_H

#include "core/attributes.h"
#include "core/diag.h"

/* Makes `path` the root directory. 0, or ERR_SYSTEM with a diag. */
int privileges_change_root(const char *path, struct diag *diag) MUST_CHECK;

/* Becomes `user` with its groups, for good. Before there are threads. 0, ERR_NOT_FOUND or
 * ERR_SYSTEM with a diag. */
int privileges_become(const char *user, struct diag *diag) MUST_CHECK;

#endif
