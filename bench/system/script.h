/* A script's first line: what the kernel would run for it (execve(2), "Interpreter scripts"). */
#ifndef BENCH_SYSTEM_SCRIPT_H
#define BENCH_SYSTEM_SCRIPT_H

#include "core/attributes.h"
#include "core/diag.h"

/* Cuts the head of a "#! /bin/sh -e" script, NUL-terminated, down to "/bin/sh" within it. Pure. */
const char *script_interpreter(char *head) NONNULL_ALL;

/*
 * Whether the interpreter of the script at `path` is there; other files and those that cannot be
 * read pass. 0; ERR_NOT_FOUND, or ERR_SYSTEM when it is no executable file, with both names, which
 * the kernel's own error does not tell.
 */
int script_check(const char *path, struct diag *diag) MUST_CHECK NONNULL_ALL;

#endif
