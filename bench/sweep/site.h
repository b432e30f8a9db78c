/*
 * What this machine has for an experiment, found out and checked before anything starts: programs,
 * libraries, the zone's origin, and the CPUs of both sides in every setup.
 */
#ifndef SWEEP_SITE_H
#define SWEEP_SITE_H

#include "core/attributes.h"
#include "core/diag.h"
#include "cpu/placement.h"
#include "cpu/topology.h"
#include "sweep/experiment.h"
#include "sweep/plan.h"
#include "sweep/target.h"
#include "system/launch.h"

struct site {
    const struct experiment *experiment; /* borrowed, as the plan */
    const struct plan *plan;
    const struct target_ops *target;
    char *self;    /* path of dnscope, which is the load tool, too */
    char *program; /* path of the target */
    char *origin;  /* of the zone, absolute */
    struct launch_libraries libraries;
    struct topology topology;
    struct placement *placements; /* one per setup of the plan */
};

/*
 * Looks and checks; starts nothing. 0 and the caller frees `site`; else a diag that says which
 * setup this machine cannot make, or what is missing, and nothing to free.
 */
int site_survey(const struct experiment *experiment, const struct plan *plan, struct site *site,
                struct diag *diag) MUST_CHECK;

void site_free(struct site *site);

#endif
