/*
 * One diagnosis: what went wrong, where, and what would be right. A function that fails fills it
 * once; main() prints it as "dnscope: FILE:LINE: message". The first failure wins: a later
 * diag_fail() on a filled diag keeps the earlier message, which is nearer to the cause.
 * Not thread-safe; one diag per thread of control.
 */
#ifndef CORE_DIAG_H
#define CORE_DIAG_H

#include "core/attributes.h"

struct diag {
    int code; /* enum error, 0 while nothing failed */
    char message[1024];
};

/*
 * Records a failure and returns `code`, so that `return diag_fail(...)` reads well. `file` may be
 * NULL (no place), `line` 0 (no line). Messages are one line: control characters in the text
 * become '?'.
 */
int diag_fail(struct diag *diag, int code, const char *file, unsigned line, const char *format, ...)
    PRINTF_LIKE(5, 6);

/* As diag_fail() with ERR_SYSTEM, ": " and the text of the present errno appended. */
int diag_fail_errno(struct diag *diag, const char *file, const char *format, ...) PRINTF_LIKE(3, 4);

/* Makes control characters '?', as in messages: what came out of a user's file must not move the
 * terminal's cursor. */
void diag_clean(char *text);

/* Prints "PROGRAM: message" on standard error. */
void diag_print(const struct diag *diag, const char *program);

#endif
