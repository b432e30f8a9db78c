/* A text made in memory with stdio and then written as one file. */
#ifndef REPORT_TEXT_FILE_H
#define REPORT_TEXT_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "core/attributes.h"
#include "core/diag.h"

struct text_file {
    FILE *out; /* to print on */
    char *text;
    size_t size;
};

/* 0 and the caller ends with one of the two below; or ERR_MEMORY. */
int text_file_open(struct text_file *file, struct diag *diag) MUST_CHECK NONNULL_ALL;

/* Writes it as DIRECTORY/NAME, replacing what was there at once, and frees it in any case. */
int text_file_save(struct text_file *file, const char *directory, const char *name,
                   struct diag *diag) MUST_CHECK NONNULL_ALL;

/* Completes `text` and `size`; the caller owns text. 0, or ERR_MEMORY and nothing is owned. */
int text_file_take(struct text_file *file, struct diag *diag) MUST_CHECK NONNULL_ALL;

#endif
