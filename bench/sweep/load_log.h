/* What the load tool prints while it runs. */
#ifndef SWEEP_LOAD_LOG_H
#define SWEEP_LOAD_LOG_H

#include <stddef.h>

/* The rate in the last whole "[SUM]" line of a log's text, or -1 when there is none. Pure. */
double load_log_parse_rate(const char *text, size_t size);

/* The same of a file; -1 when it cannot be read. */
double load_log_rate(const char *path);

#endif
