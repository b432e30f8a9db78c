#include <errno.h>
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

int privileges_become(const char *user, struct diag *diag)
{
    errno = 0;
    const struct passwd *entry = getpwnam(user);
    if (entry == NULL) {
        return diag_fail(diag, ERR_NOT_FOUND, NULL, 0, "option -u: there is no user \"%s\"", user);
    }
    if (initgroups(user, entry->pw_gid) != 0 || setgid(entry->pw_gid) != 0 ||
        setuid(entry->pw_uid) != 0) {
        return diag_fail_errno(diag, NULL, "option -u: cannot become user \"%s\"", user);
    }
    return 0;
}
