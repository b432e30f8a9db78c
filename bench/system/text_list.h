/*
 * A growing NULL-terminated array of strings, as exec wants argv and environment. Everything in it
 * is owned. A failed allocation is remembered and looked at once, at the end.
 */
#ifndef BENCH_SYSTEM_TEXT_LIST_H
#define BENCH_SYSTEM_TEXT_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "core/attributes.h"

struct text_list {
    char **items; /* NULL-terminated; NULL while nothing was added */
    size_t count;
    bool failed; /* memory ran out; what was added since may be missing */
};

/* Appends a copy of `text`. */
void text_list_add(struct text_list *list, const char *text);

/* Appends printf text. */
void text_list_addf(struct text_list *list, const char *format, ...) PRINTF_LIKE(2, 3);

/* Removes item `index`. */
void text_list_remove(struct text_list *list, size_t index);

/* Frees all of it. */
void text_list_free(struct text_list *list);

/* Frees an array that was taken out of a list. */
void text_array_free(char **items);

#endif
