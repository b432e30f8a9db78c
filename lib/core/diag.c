#include "core/diag.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"

/* Appends to diag->message; what does not fit is cut. */
static void append(struct diag *diag, const char *format, va_list arguments) PRINTF_LIKE(2, 0);

static void append(struct diag *diag, const char *format, va_list arguments)
{
    size_t used = strlen(diag->message);
    vsnprintf(diag->message + used, sizeof(diag->message) - used, format, arguments);
}

static void append_text(struct diag *diag, const char *format, ...) PRINTF_LIKE(2, 3);

static void append_text(struct diag *diag, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    append(diag, format, arguments);
    va_end(arguments);
}

void diag_clean(char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == 0x7f) {
            *text = '?';
        }
    }
}

static void begin(struct diag *diag, int code, const char *file, unsigned line)
{
    diag->code = code;
    diag->message[0] = '\0';
    if (file != NULL && line > 0) {
        append_text(diag, "%s:%u: ", file, line);
    } else if (file != NULL) {
        append_text(diag, "%s: ", file);
    }
}

int diag_fail(struct diag *diag, int code, const char *file, unsigned line, const char *format, ...)
{
    if (diag->code != 0) {
        return diag->code;
    }
    begin(diag, code, file, line);
    va_list arguments;
    va_start(arguments, format);
    append(diag, format, arguments);
    va_end(arguments);
    diag_clean(diag->message);
    return code;
}

int diag_fail_errno(struct diag *diag, const char *file, const char *format, ...)
{
    int saved_errno = errno;
    if (diag->code != 0) {
        return diag->code;
    }
    begin(diag, ERR_SYSTEM, file, 0);
    va_list arguments;
    va_start(arguments, format);
    append(diag, format, arguments);
    va_end(arguments);
    append_text(diag, ": %s", strerror(saved_errno));
    diag_clean(diag->message);
    return ERR_SYSTEM;
}

void diag_print(const struct diag *diag, const char *program)
{
    fprintf(stderr, "%s: %s\n", program, diag->message);
}
