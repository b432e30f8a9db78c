/* Whether the dynamic loader will honour LD_PRELOAD for a program. */
#ifndef BENCH_SYSTEM_PRELOAD_H
#define BENCH_SYSTEM_PRELOAD_H

#include <stddef.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "system/launch.h"

enum preload_kind {
    PRELOAD_DYNAMIC,     /* an ELF program of this machine's kind with an interpreter */
    PRELOAD_STATIC,      /* no PT_INTERP: no loader runs, nothing can be preloaded */
    PRELOAD_FOREIGN,     /* ELF of another class or machine than ours */
    PRELOAD_SCRIPT,      /* begins with #!: the interpreter decides */
    PRELOAD_NOT_PROGRAM, /* neither */
};

/* What the first `size` bytes of a file say. Pure; the bytes are untrusted. */
enum preload_kind preload_classify(const void *bytes, size_t size);

/*
 * 0 when libraries can be preloaded into the program at `path`, its interpreter's for a script;
 * ERR_UNSUPPORTED for a static, set-user-ID, set-group-ID or foreign one, or one with file
 * capabilities that we lack; ERR_SYSTEM when it cannot be read.
 */
int preload_check(const char *path, struct diag *diag) MUST_CHECK;

/*
 * 0 when the loader can load the library at `path`; otherwise it would only print a warning and run
 * the program without. ERR_SYSTEM when it cannot be read, ERR_UNSUPPORTED when it is no ELF file of
 * this machine's kind.
 */
int preload_check_library(const char *path, struct diag *diag) MUST_CHECK;

/*
 * All that a setup preloads into a program: the libraries were found and are libraries, and the
 * program takes them. 0, or the error of the first that is not.
 */
int preload_check_setup(const struct launch_setup *setup, const struct launch_libraries *libraries,
                        const char *program, struct diag *diag) MUST_CHECK;

#endif
