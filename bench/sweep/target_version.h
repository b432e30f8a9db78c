/* Which server it is that is measured. */
#ifndef SWEEP_TARGET_VERSION_H
#define SWEEP_TARGET_VERSION_H

#include "core/attributes.h"
#include "sweep/results_dir.h"
#include "sweep/site.h"

/* The first line that the target prints for its version option, to be freed; NULL when it says
 * nothing within two seconds. From main's thread. */
char *target_version(const struct site *site, const struct results_dir *results,
                     const char *const *environment) MUST_CHECK;

#endif
