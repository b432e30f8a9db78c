#include "sweep/target.h"

#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "sweep/experiment.h"

int target_check_path(const char *path, struct diag *diag)
{
    if (strpbrk(path, "\"\\\n") != NULL) {
        return diag_fail(diag, ERR_UNSUPPORTED, path, 0,
                         "quotes, backslashes and line ends cannot be handed to a server; choose "
                         "another name");
    }
    return 0;
}

const struct target_ops *target_find(unsigned kind)
{
    static const struct target_ops *const targets[] = {
        [TARGET_SCOPED] = &target_scoped,
        [TARGET_NAMED] = &target_named,
    };
    CHECK(kind < ARRAY_LENGTH(targets));
    return targets[kind];
}
