/* Where our own files and other people's programs are. Reads the file system and environment. */
#ifndef BENCH_SYSTEM_LOCATE_H
#define BENCH_SYSTEM_LOCATE_H

#include "core/attributes.h"
#include "core/diag.h"
#include "system/launch.h"

/* The path of the running dnscope. 0 and the caller frees `path`; ERR_SYSTEM or ERR_MEMORY. */
int locate_self(char **path, struct diag *diag) MUST_CHECK;

/*
 * The file that execvp(3) would run for `name`, as an absolute path: `name` itself when it has a
 * slash, else the first executable file in $PATH. 0 and the caller frees `path`; ERR_NOT_FOUND when
 * there is none, or a script's interpreter is not there; ERR_SYSTEM when the file that was found
 * cannot be executed.
 */
int locate_program(const char *name, char **path, struct diag *diag) MUST_CHECK;

/*
 * libpscope: $DNSCOPE_LIBPSCOPE, else ../lib/libpscope.so.1 beside the running program, else the
 * installed one. libjemalloc.so.2: $DNSCOPE_LIBJEMALLOC, else the system's library folders. What
 * is not there is NULL, which launch_make() reports when a setup needs it; whether a file can be
 * preloaded, preload_check_library() tells. 0 or ERR_MEMORY.
 */
int locate_libraries(struct launch_libraries *libraries, struct diag *diag) MUST_CHECK;

void launch_libraries_free(struct launch_libraries *libraries);

#endif
