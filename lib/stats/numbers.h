/*
 * Files of numbers as ministat(1) reads them: one number a line, in a column of one's choice, `#`
 * begins a comment; lines without that column are passed over. Stricter than ministat in what it
 * cannot mean: nan, infinity and hexadecimal are errors. Pure; any thread.
 */
#ifndef STATS_NUMBERS_H
#define STATS_NUMBERS_H

#include <stddef.h>

#include "core/attributes.h"
#include "core/diag.h"

/* Numbers beyond this are errors, so that sums of squares stay finite. */
#define NUMBERS_MAGNITUDE_MAX 1e100

struct numbers_format {
    unsigned column;        /* from 1 */
    const char *delimiters; /* each a delimiter; several in a row are one, as in strtok(3) */
};

/* The first column, between blanks and tabs. */
extern const struct numbers_format numbers_default_format;

struct numbers {
    double *values; /* owned by the holder, in the order of the lines */
    size_t count;
};

/*
 * Reads `size` bytes of text; `file` is the name for diagnoses. 0 and the caller frees with
 * numbers_free(), or ERR_SYNTAX, ERR_RANGE, ERR_MEMORY with a diag that names the line.
 */
int numbers_parse(const char *text, size_t size, const struct numbers_format *format,
                  const char *file, struct numbers *numbers,
                  struct diag *diag) MUST_CHECK NONNULL_ALL;

void numbers_free(struct numbers *numbers);

#endif
