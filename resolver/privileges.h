/* Giving up what only the start needs. */
#ifndef RESOLVER_PRIVILEGES_H
#define RESOLVER_PRIVILEGES_H

#include <sys/types.h>

#include "core/attributes.h"
#include "core/diag.h"

#define PRIVILEGES_GROUPS_MAX 64

struct privileges_user {
    uid_t uid;
    gid_t gid;
    gid_t groups[PRIVILEGES_GROUPS_MAX];
    int group_count;
};

/* Looks `name` up, with its groups: before the root directory changes, where there may be no
 * users. 0, or ERR_NOT_FOUND or ERR_RANGE with a diag. */
int privileges_find_user(const char *name, struct privileges_user *user,
                         struct diag *diag) MUST_CHECK;

/* Makes `path` the root directory. 0, or ERR_SYSTEM with a diag. */
int privileges_change_root(const char *path, struct diag *diag) MUST_CHECK;

/* Becomes the user, for good. Before there are threads. 0, or ERR_SYSTEM with a diag. */
int privileges_become(const struct privileges_user *user, struct diag *diag) MUST_CHECK;

#endif
