/* A run's result as JSON; docs/schema/load.schema.json describes it. */
#ifndef LOAD_JSON_H
#define LOAD_JSON_H

#include "core/attributes.h"
#include "core/diag.h"
#include "core/output.h"
#include "load/result.h"

/* Writes the object and ends the output. 0, ERR_MEMORY or ERR_SYSTEM. */
int load_json_write(struct output *output, const struct load_result *result,
                    struct diag *diag) MUST_CHECK NONNULL_ALL;

#endif
