/*
 * The complete description of one process, made before it starts: what to run, with which
 * environment, on which CPUs, where its output goes. Pure: the inherited environment and the
 * places of the libraries are arguments; nothing is read or started here. Any thread.
 */
#ifndef BENCH_SYSTEM_LAUNCH_H
#define BENCH_SYSTEM_LAUNCH_H

#include <stdbool.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "cpu/cpu_set.h"

enum thread_scope {
    THREAD_SCOPE_INHERIT, /* the environment stays as it is */
    THREAD_SCOPE_SYSTEM,  /* kernel threads: libpscope is not loaded, LIBPTHREAD_SYSTEM_SCOPE set */
    THREAD_SCOPE_PROCESS, /* libpscope is loaded, LIBPTHREAD_PROCESS_SCOPE set */
};

/* The most virtual CPUs that libpscope takes (libpscope(7)). */
#define LAUNCH_VCPUS_MAX 256

enum allocator {
    ALLOCATOR_INHERIT, /* the environment stays as it is */
    ALLOCATOR_LIBC,    /* malloc is libc's, also in a program linked with another one */
    ALLOCATOR_JEMALLOC,
};

struct launch_setup {
    enum thread_scope scope;
    unsigned vcpus; /* LIBPTHREAD_VIRTUAL_CPU under process scope; 0: not set */
    enum allocator allocator;
    struct cpu_set cpus; /* affinity mask; empty: inherited */
};

/* Where the preloaded libraries are (bench/system/locate.h); NULL when not found. */
struct launch_libraries {
    char *pscope;
    char *jemalloc;
};

/* All pointers are borrowed until launch_make() returns; each may be NULL but for the first two. */
struct launch_request {
    const char *program;     /* the file to execute, with a slash in it */
    const char *const *argv; /* NULL-terminated; argv[0] is the name that the program sees */
    struct launch_setup setup;
    struct launch_libraries libraries;
    const char *const *inherited; /* "NAME=value", NULL-terminated: environ */
    const char *const *extra;     /* "NAME=value": added last, replacing; "NAME" removes */
    const char *stats_path;       /* LIBPTHREAD_STATS; NULL: as inherited */
    const char *working_directory;
    const char *log_path; /* standard output and error are appended to it; NULL: inherited */
};

/* Everything owned; the environment is complete. */
struct launch {
    char *program;
    char **argv;
    char **environment;  /* NULL when empty */
    struct cpu_set cpus; /* empty: inherited */
    char *working_directory;
    char *log_path;
};

/*
 * Whether the setup's libraries were found: 0; ERR_NOT_FOUND, ERR_UNSUPPORTED when a path cannot
 * stand in LD_PRELOAD, ERR_RANGE for more virtual CPUs than libpscope takes. What the files are,
 * preload_check_setup() looks at.
 */
int launch_check_libraries(const struct launch_setup *setup,
                           const struct launch_libraries *libraries, struct diag *diag) MUST_CHECK;

/*
 * 0 and the caller owns `launch`; as launch_check_libraries(), or ERR_MEMORY.
 */
int launch_make(const struct launch_request *request, struct launch *launch,
                struct diag *diag) MUST_CHECK;

void launch_free(struct launch *launch);

/*
 * One line for a POSIX shell that does the same: cd, env with what differs from `inherited`,
 * taskset, the program, redirection; every word quoted where it must be. The caller frees it;
 * NULL when memory is short.
 */
char *launch_format(const struct launch *launch, const char *const *inherited) MUST_CHECK;

/* "process", "system"; "libc", "jemalloc". 0 or ERR_NOT_FOUND. */
int thread_scope_parse(const char *name, enum thread_scope *scope) MUST_CHECK;
int allocator_parse(const char *name, enum allocator *allocator) MUST_CHECK;
const char *thread_scope_name(enum thread_scope scope);
const char *allocator_name(enum allocator allocator);

#endif
