/* The library's controls, read from the environment. Pure: tests pass their own getter. */
#ifndef PSCOPE_CONFIG_H
#define PSCOPE_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

enum config_scope {
    CONFIG_SCOPE_ATTRIBUTE, /* each thread's own pthread_attr_setscope() decides */
    CONFIG_SCOPE_PROCESS,
    CONFIG_SCOPE_SYSTEM,
};

#define CONFIG_VIRTUAL_CPUS_MAX   256
#define CONFIG_QUANTUM_US_DEFAULT 20000
#define CONFIG_QUANTUM_US_MAX     60000000

struct config {
    enum config_scope scope;
    unsigned virtual_cpus;  /* 0: as many as the process's affinity mask has CPUs */
    unsigned quantum_us;    /* 0: no time slices */
    const char *stats_file; /* NULL: none; else the environment's own string */
    bool debug;
};

/*
 * Fills `config` from the variables that `get` (as getenv) finds. 0, or -1 with one line in
 * `error` that names the variable, its value and what would be right.
 */
int config_read(struct config *config, char *(*get)(const char *name), char *error, size_t size);

#endif
