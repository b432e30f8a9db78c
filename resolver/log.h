/* Log lines in named's form: date, time, text. Any thread. */
#ifndef RESOLVER_LOG_H
#define RESOLVER_LOG_H

#include "core/attributes.h"

enum log_level { LOG_LEVEL_INFO, LOG_LEVEL_WARNING, LOG_LEVEL_ERROR };

enum log_target {
    LOG_TARGET_STDERR, /* option -g */
    LOG_TARGET_SYSLOG, /* otherwise, as facility daemon */
};

/* Where lines go from now on; standard error until this is called. Not while threads log. */
void log_open(enum log_target target);

/* One line; control characters in it become '?'. May block in write(2). */
void log_line(enum log_level level, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
