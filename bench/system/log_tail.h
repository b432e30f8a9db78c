/* The end of a program's log, for people. */
#ifndef BENCH_SYSTEM_LOG_TAIL_H
#define BENCH_SYSTEM_LOG_TAIL_H

#include <stddef.h>

#include "core/attributes.h"

/*
 * Where the last `lines` lines of the text begin: an offset, `size` when there is no text. A last
 * line without a newline counts. Pure.
 */
size_t log_tail_offset(const char *text, size_t size, size_t lines);

/* The last line of a log into `line`, cut to `size`; "" when there is none. */
void log_tail_last_line(const char *path, char *line, size_t size) NONNULL_ALL;

/*
 * Prints the last lines of a log on standard error, each behind "PREFIX: ", control characters as
 * '?'; "(no output)" when it is empty or cannot be read.
 */
void log_tail_print(const char *path, size_t lines, const char *prefix) NONNULL_ALL;

#endif
