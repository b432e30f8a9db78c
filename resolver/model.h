/*
 * A threading model: who waits for datagrams, who answers them. The work itself is the same
 * function in all of them (answer.h). A new model is one file with one of these and a line in
 * model.c.
 */
#ifndef RESOLVER_MODEL_H
#define RESOLVER_MODEL_H

#include <stddef.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "snapshot.h"
#include "sockets.h"

struct model_setup {
    const struct address *addresses;
    size_t address_count;
    unsigned worker_count;
    struct snapshot *snapshot; /* with a reader for each worker, numbered from 0 */
};

struct model {
    const char *name;
    const char *summary; /* for --help */

    /* Binds the sockets. 0 and a state for the calls below, or an error with a diag. */
    int (*open)(const struct model_setup *setup, void **state, struct diag *diag);

    /* Starts the threads, which then serve. On failure those already there have ended again. */
    int (*start)(void *state, struct diag *diag);

    /* Has the threads end (unless none was started), joins them, frees all. May switch threads. */
    void (*close)(void *state);
};

extern const struct model model_reuseport;
extern const struct model model_shared;
extern const struct model model_dispatch;

/* Every model, NULL behind the last; the first is the default. */
extern const struct model *const models[];

/* The model of that name, or NULL. */
const struct model *model_find(const char *name);

#endif
