#include "pscope/debug.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "pscope/process.h"
#include "pscope/sys.h"

void debug(const char *format, ...)
{
    char line[256];
    va_list arguments;
    int length;

    if (!process_config()->debug)
        return;
    length = snprintf(line, sizeof line, "libpscope[%d]: ", (int)sys_0(SYS_getpid));
    va_start(arguments, format);
    length += vsnprintf(line + length, sizeof line - (size_t)length - 1, format, arguments);
    va_end(arguments);
    if (length > (int)sizeof line - 2)
        length = sizeof line - 2;
    line[length++] = '\n';
    sys_3(SYS_write, STDERR_FILENO, line, length);
}
