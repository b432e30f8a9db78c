/*
 * A kind of server under test: how to find it, configure it and ask its version. One file per
 * kind, target_*.c; everything here is pure and describes, nothing starts.
 */
#ifndef SWEEP_TARGET_H
#define SWEEP_TARGET_H

#include <stddef.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "system/text_list.h"

/* What one start of a server needs to be told; all borrowed. */
struct target_place {
    const char *directory; /* private to the target, absolute */
    const char *port;      /* a number, or a word that stands for one in descriptions */
    unsigned workers;
    const char *model;
    const char *zone;   /* absolute path */
    const char *origin; /* of the zone, absolute */
};

struct target_ops {
    const char *name;
    /* Where the program may be, in order of preference: a path, a name to be found in $PATH, or
     * "./NAME" for one beside dnscope itself. Ended by NULL. */
    const char *const *programs;
    const char *version_option;
    /* Name of the configuration in the private directory, or NULL for none. */
    const char *config_name;
    /* Its content, to be freed; NULL when memory is short. */
    char *(*config)(const struct target_place *place);
    /* Appends the arguments behind argv[0]; the server stays in the foreground and logs to standard
     * error. */
    void (*arguments)(const struct target_place *place, struct text_list *argv);
};

extern const struct target_ops target_scoped;
extern const struct target_ops target_named;

/* The address that targets listen on. */
#define TARGET_ADDRESS "127.0.0.1"

/* Whether a path or a name can stand in every server's configuration: named.conf has quotes around
 * them and knows no escape. 0, or ERR_UNSUPPORTED. */
int target_check_path(const char *path, struct diag *diag) MUST_CHECK;

/* The ops of an enum target_kind (sweep/experiment.h). */
const struct target_ops *target_find(unsigned kind) PURE_FUNCTION;

#endif
