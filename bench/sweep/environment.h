/*
 * environment.json: what a sweep was made with. The runs of one results directory are one sample
 * per setup, so those that a resumption adds must be made with the same.
 */
#ifndef SWEEP_ENVIRONMENT_H
#define SWEEP_ENVIRONMENT_H

#include <jansson.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "sweep/results_dir.h"
#include "sweep/site.h"

/*
 * Pure: whether runs made in `fresh` may stand beside those of `kept`: the same versions of dnscope
 * and the target, the same kernel, processor and usable CPUs. 0, or ERR_UNSUPPORTED with a diag
 * that names the first difference.
 */
int environment_agree(const json_t *kept, const json_t *fresh, struct diag *diag) MUST_CHECK;

/*
 * Writes environment.json when the results directory has none; otherwise leaves it and asks
 * environment_agree(). `version` is the target's. 0, or an error with a diag.
 */
int environment_settle(const struct site *site, const struct results_dir *results,
                       const char *version, struct diag *diag) MUST_CHECK;

#endif
