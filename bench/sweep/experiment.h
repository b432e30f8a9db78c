/*
 * An experiment file as a struct: what to measure, on which target, how often. All values are
 * checked and all defaults filled in when it is there. The format is dnscope-experiment(5).
 */
#ifndef SWEEP_EXPERIMENT_H
#define SWEEP_EXPERIMENT_H

#include <stddef.h>
#include <stdint.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "cpu/cpu_set.h"
#include "cpu/placement.h"
#include "sweep/schema.h"
#include "sweep/yaml_tree.h"

#define EXPERIMENT_NAME_MAX 64
/* More setups or runs than this are a typing mistake. */
#define EXPERIMENT_SETUPS_MAX 1024
#define EXPERIMENT_RUNS_MAX   1000000

enum target_kind { TARGET_SCOPED, TARGET_NAMED };
enum run_order { ORDER_RANDOMIZED_BLOCKS, ORDER_SEQUENTIAL };

struct target_settings {
    unsigned kind;       /* enum target_kind */
    const char *model;   /* of scoped's threads; the other targets do not look at it */
    unsigned workers;    /* worker threads; 0: as many as virtual CPUs */
    unsigned port;       /* 0: a free one */
    const char *program; /* the server's file; NULL: found by its name */
};

struct workload {
    const char *zone;    /* absolute path */
    const char *queries; /* absolute path */
    const char *origin;  /* of the zone; NULL: the zone file says it */
};

struct load_settings {
    unsigned threads;
    unsigned clients;     /* sockets over all threads */
    unsigned outstanding; /* queries under way over all clients */
    double warmup_s;
    double duration_s;
    double timeout_s;
};

/* One value of the axis "placement". */
struct placement_value {
    enum placement_policy policy;
    struct cpu_set server; /* PLACEMENT_EXPLICIT only */
    struct cpu_set client;
    const char *server_text; /* as written */
    const char *client_text;
};

struct placement_list {
    struct placement_value *values; /* owned */
    size_t count;
};

struct axes {
    struct number_list scope; /* enum thread_scope */
    struct number_list vcpus;
    struct number_list smt; /* enum smt_policy */
    struct placement_list placement;
    struct number_list malloc;  /* enum allocator */
    struct number_list confine; /* enum confine_policy */
};

/* How often: the target is started `starts` times for each setup, and measured
 * `runs_per_start` times in each start. */
struct repetitions {
    unsigned starts;
    unsigned runs_per_start;
};

struct experiment {
    const char *name;
    struct target_settings target;
    struct workload workload;
    struct load_settings load;
    struct axes axes;
    struct repetitions repetitions;
    unsigned order; /* enum run_order */
    uint64_t seed;
    struct yaml_tree tree; /* holds the texts */
    char *paths[3];        /* made absolute; owned */
};

/*
 * Reads the text of an experiment file. `file` is its name, for diagnoses and as the place that
 * relative paths start from; `sets` are `set_count` "KEY=VALUE" changes, applied before anything is
 * checked (relative paths in them start from the current directory). 0 and the caller frees it
 * with experiment_free(), or an error with a diag and nothing to free. Opens no file, but
 * looks where links lead. One thread at a time for one struct.
 */
int experiment_parse(struct experiment *experiment, const char *text, size_t size, const char *file,
                     const char *const *sets, size_t set_count, struct diag *diag) MUST_CHECK;

/* The same from a file. */
int experiment_load(struct experiment *experiment, const char *file, const char *const *sets,
                    size_t set_count, struct diag *diag) MUST_CHECK;

void experiment_free(struct experiment *experiment);

/*
 * Where the experiment says something, for diagnoses about it with yaml_node_fail(): the key, else
 * its group, else the file. `group` NULL: a key of the outermost level. Never NULL.
 */
const struct yaml_node *experiment_node(const struct experiment *experiment, const char *group,
                                        const char *key);

/* The experiment as a file that reads back the same, every default written out; the caller frees
 * it; NULL when memory is short. */
char *experiment_format(const struct experiment *experiment) MUST_CHECK;

const char *target_kind_name(unsigned kind);
const char *run_order_name(unsigned order);

/* "same-socket", or "server-0-client-1" for masks given by number; at most `size` bytes with NUL,
 * returns the whole length as snprintf(3). */
size_t placement_value_name(const struct placement_value *value, char *text, size_t size);

#endif
