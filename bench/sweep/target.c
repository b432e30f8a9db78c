#include "sweep/target.h"

#include "core/check.h"
#include "sweep/experiment.h"

const struct target_ops *target_find(unsigned kind)
{
    static const struct target_ops *const targets[] = {
        [TARGET_SCOPED] = &target_scoped,
        [TARGET_NAMED] = &target_named,
    };
    CHECK(kind < ARRAY_LENGTH(targets));
    return targets[kind];
}
