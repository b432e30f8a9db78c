/*
 * Reading from streams. libc reads inside, where a thread cannot leave its carrier, so a call that
 * may have to wait for a pipe, a terminal or a socket is made at home: a signal or a cancellation
 * can end it there. What is in the stream's buffer, or on a disk, is read on the spot.
 */
/* Else glibc's headers define getline() and getchar() inline; here they are ours to define. */
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1
#endif
#include <stdint.h>
#include <stdio.h>
#include <wchar.h>

#include "pscope/home.h"
#include "pscope/poller.h"
#include "pscope/process.h"
#include "pscope/real.h"

/* Whether reading `size` bytes may have to wait. A cancellation point, as POSIX lets them be. */
static bool may_wait(FILE *stream, size_t size)
{
    int fd;

    if (!uthread_aboard)
        return false;
    home_cancellation_point(uthread_aboard);
    if (stream->_IO_read_ptr && (size_t)(stream->_IO_read_end - stream->_IO_read_ptr) >= size)
        return false;
    fd = stream->_fileno; /* negative for a stream in memory */
    return fd >= 0 && (!poller_covers(fd) || poller_kind(fd) != POLLER_KIND_DISK);
}

/* One function that reads `size_` bytes at most from `stream_`. */
#define READING(type, name, parameters, arguments, stream_, size_)                                 \
    INTERPOSE type name parameters                                                                 \
    {                                                                                              \
        if (!may_wait(stream_, size_))                                                             \
            return REAL(name) arguments;                                                           \
        return AT_HOME(type, REAL(name) arguments);                                                \
    }

READING(int, fgetc, (FILE * stream), (stream), stream, 1)
READING(int, getc, (FILE * stream), (stream), stream, 1)
READING(int, getchar, (void), (), stdin, 1)
READING(char *, fgets, (char *restrict line, int size, FILE *restrict stream), (line, size, stream),
        stream, (size_t)size)
READING(size_t, fread, (void *restrict items, size_t size, size_t count, FILE *restrict stream),
        (items, size, count, stream), stream, size *count)
READING(ssize_t, getdelim,
        (char **restrict line, size_t *restrict size, int end, FILE *restrict stream),
        (line, size, end, stream), stream, SIZE_MAX)
READING(ssize_t, __getdelim,
        (char **restrict line, size_t *restrict size, int end, FILE *restrict stream),
        (line, size, end, stream), stream, SIZE_MAX)
READING(ssize_t, getline, (char **restrict line, size_t *restrict size, FILE *restrict stream),
        (line, size, stream), stream, SIZE_MAX)
READING(wint_t, fgetwc, (FILE * stream), (stream), stream, SIZE_MAX)

/* getc() in old programs; the header has the new name. */
int _IO_getc(FILE *stream);
INTERPOSE int _IO_getc(FILE *stream)
{
    return getc(stream);
}
