#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include "core/error.h"
#include "privileges.h"

int privileges_change_root(const char *path, struct diag *diag)
{
    if (chroot(path) != 0 || chdir("/") != 0) {
        return diag_fail_errno(diag, path, "cannot make it the root directory (option -t)");
    }
    return 0;
}

int privileges_find_user(const char *name, struct privileges_user *user, struct diag *diag)
{
    const struct passwd *entry = getpwnam(name);
    if (entry == NULL) {
        return diag_fail(diag, ERR_NOT_FOUND, NULL, 0, "option -u: there is no user \"%s\"", name);
    }
    user->uid = entry->pw_uid;
    user->gid = entry->pw_gid;
    user->group_count = PRIVILEGES_GROUPS_MAX;
    if (getgrouplist(name, user->gid, user->groups, &user->group_count) < 0) {
        return diag_fail(diag, ERR_RANGE, NULL, 0,
                         "option -u: user \"%s\" is in more than %d groups", name,
                         PRIVILEGES_GROUPS_MAX);
    }
    return 0;
}

int privileges_become(const struct privileges_user *user, struct diag *diag)
{
    if (setgroups((size_t)user->group_count, user->groups) != 0 || setgid(user->gid) != 0 ||
        setuid(user->uid) != 0) {
        return diag_fail_errno(diag, NULL, "option -u: cannot become user %u", user->uid);
    }
    return 0;
}
