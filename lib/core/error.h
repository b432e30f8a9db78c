/*
 * Error codes. Functions that can fail return 0 or one of these; those that fail because of what
 * somebody wrote (a file, an option) also fill a struct diag (core/diag.h) with the whole story.
 */
#ifndef CORE_ERROR_H
#define CORE_ERROR_H

enum error {
    ERR_NONE = 0,
    ERR_MEMORY = -1,      /* out of memory */
    ERR_SYSTEM = -2,      /* a system call failed; the diag has its errno's text */
    ERR_SYNTAX = -3,      /* input does not follow its grammar */
    ERR_RANGE = -4,       /* a number or a length is outside its limits */
    ERR_NOT_FOUND = -5,   /* a thing that was named does not exist */
    ERR_EXISTS = -6,      /* a thing that must be new is already there */
    ERR_UNSUPPORTED = -7, /* valid, but this machine or this program cannot do it */
    ERR_TARGET = -8,      /* the server under test failed */
    ERR_INTERRUPTED = -9, /* a signal asked to stop */
    ERR_TIMEOUT = -10,    /* not in the time allowed */
};

/* Text for a code of enum error; static storage; any thread. */
const char *error_string(int code);

#endif
