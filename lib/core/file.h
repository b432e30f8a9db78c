/* Whole files in and out, with diagnoses. */
#ifndef CORE_FILE_H
#define CORE_FILE_H

#include <stddef.h>

#include "core/attributes.h"
#include "core/diag.h"

/* Bytes that the holder owns; free with bytes_free(). `data` has a NUL behind its `size` bytes. */
struct bytes {
    char *data;
    size_t size;
};

void bytes_free(struct bytes *bytes);

/*
 * Reads all of `path` ("-" is standard input). 0 and the caller owns `out`, or ERR_SYSTEM or
 * ERR_MEMORY with a diag; a folder is an error.
 */
int file_read_all(const char *path, struct bytes *out, struct diag *diag) MUST_CHECK;

/* Writes all of it, whatever write(2) takes at a time. 0, or -1 with errno. */
int file_write_fd(int fd, const void *data, size_t size) MUST_CHECK;

/*
 * Writes `size` bytes as the new whole content of `path`, through a temporary file of its own and
 * rename(2), so that a reader sees the old content or the new one. Keeps the mode of the old file.
 * For files whose names this project chose; what a user named is core/output.h's.
 */
int file_write_atomic(const char *path, const void *data, size_t size,
                      struct diag *diag) MUST_CHECK;

/*
 * Appends `size` bytes to `path` in one write and fsyncs, so that a crash leaves whole records
 * but for the last. A short write is retried until all is written.
 */
int file_append_synced(const char *path, const void *data, size_t size,
                       struct diag *diag) MUST_CHECK;

#endif
