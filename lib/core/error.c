#include "core/error.h"

#include "core/attributes.h"

const char *error_string(int code)
{
    static const char *const text[] = {
        [-ERR_NONE] = "no error",
        [-ERR_MEMORY] = "out of memory",
        [-ERR_SYSTEM] = "system call failed",
        [-ERR_SYNTAX] = "syntax error",
        [-ERR_RANGE] = "out of range",
        [-ERR_NOT_FOUND] = "not found",
        [-ERR_EXISTS] = "already exists",
        [-ERR_UNSUPPORTED] = "not supported here",
        [-ERR_TARGET] = "target failed",
        [-ERR_INTERRUPTED] = "interrupted",
        [-ERR_TIMEOUT] = "timed out",
    };
    if (code > 0 || code <= -(int)ARRAY_LENGTH(text)) {
        return "unknown error";
    }
    return text[-code];
}
