/* What all threads of a run read and none writes, once they have started. */
#ifndef LOAD_PLAN_H
#define LOAD_PLAN_H

#include <stdint.h>
#include <stdio.h>

#include "dns/query_set.h"

struct load_plan {
    const struct query_set *queries;
    uint32_t threads;
    uint64_t timeout_ns;
    uint64_t query_limit; /* of the measured time, over all threads; UINT64_MAX: none */
    uint64_t warmup_ns;   /* length of the warm-up */
    uint64_t limit_ns;    /* length of the measured time; UINT64_MAX: no limit */
    FILE *query_lines;    /* where a line per query goes; NULL: none */
    /* Set when all threads stand ready, CLOCK_MONOTONIC: */
    uint64_t start_ns;   /* of the warm-up */
    uint64_t measure_ns; /* of the measured time */
    uint64_t stop_ns;    /* no query is sent from here on */
};

#endif
