/*
 * A file that a user named for output, opened before the work whose result it takes, so that a
 * path that cannot be written is found at once. It is what a shell's redirection would make of the
 * path: symbolic links are followed, an existing file keeps its mode and links, and a device, a
 * FIFO or /dev/fd/N is written as it stands. One thread at a time.
 */
#ifndef CORE_OUTPUT_H
#define CORE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/attributes.h"
#include "core/diag.h"

struct output {
    const char *path; /* borrowed; for diagnoses */
    int fd;
    bool is_stdout; /* "-", or a path of what standard output is, such as /dev/stdout */
    bool is_new;    /* there was nothing at the path */
};

/* Opens `path` ("-" is standard output) and leaves what it holds alone. Waits for the reader of a
 * FIFO. 0, or ERR_SYSTEM with a diag; then output_write() or output_discard() ends it. */
int output_open(struct output *output, const char *path, struct diag *diag) MUST_CHECK NONNULL_ALL;

/* Makes `size` bytes the new whole content (what is no regular file: adds them), and closes. On
 * standard output they follow what stdio holds for it. 0 or ERR_SYSTEM with a diag. */
int output_write(struct output *output, const void *data, size_t size,
                 struct diag *diag) MUST_CHECK NONNULL_ALL;

/* Closes without a change; a file that output_open() made is removed. */
void output_discard(struct output *output) NONNULL_ALL;

#endif
