/* The counters that LIBPTHREAD_STATS asks for. */
#ifndef PSCOPE_STATS_H
#define PSCOPE_STATS_H

#include <stdbool.h>
#include <stddef.h>

/* Checks that `path` can be written; false with one line in `error` otherwise. */
bool stats_open(const char *path, char *error, size_t size);

/* Writes one JSON object to the file that stats_open() was given; nothing without one. */
void stats_write(void);

#endif
