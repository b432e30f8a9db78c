/* The zones of a configuration, loaded. */
#ifndef RESOLVER_CATALOG_H
#define RESOLVER_CATALOG_H

#include "config.h"
#include "core/attributes.h"
#include "core/diag.h"
#include "dns/zone_set.h"

/*
 * Loads every zone of the configuration into `zones`; logs a line for each zone and each warning.
 * 0, or an error with a diag at the first zone that is bad. Files are relative to the working
 * directory.
 */
int catalog_load(const struct config *config, struct zone_set *zones, struct diag *diag) MUST_CHECK;

#endif
