#include "log.h"

#include <stdarg.h>
#include <stdio.h>
#include <syslog.h>
#include <time.h>

/* Set once by main before there are threads; a log has no natural owner to pass around. */
static enum log_target target = LOG_TARGET_STDERR;

void log_open(enum log_target new_target)
{
    target = new_target;
    if (target == LOG_TARGET_SYSLOG) {
        openlog("scoped", LOG_PID, LOG_DAEMON);
    }
}

static void clean(char *text)
{
    for (; *text != '\0'; text++) {
        if ((unsigned char)*text < 0x20 || *text == 0x7f) {
            *text = '?';
        }
    }
}

static void write_stderr(enum log_level level, const char *text)
{
    static const char *const prefix[] = {"", "warning: ", "error: "};
    struct timespec now;
    struct tm local;
    char stamp[64];
    clock_gettime(CLOCK_REALTIME, &now);
    localtime_r(&now.tv_sec, &local);
    strftime(stamp, sizeof(stamp), "%d-%b-%Y %H:%M:%S", &local);
    fprintf(stderr, "%s.%03ld %s%s\n", stamp, now.tv_nsec / 1000000, prefix[level], text);
}

void log_line(enum log_level level, const char *format, ...)
{
    static const int priority[] = {LOG_INFO, LOG_WARNING, LOG_ERR};
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    clean(text);
    if (target == LOG_TARGET_SYSLOG) {
        syslog(priority[level], "%s", text);
    } else {
        write_stderr(level, text);
    }
}
