/*
 * An environment under construction: "NAME=value" strings, each name once. Pure, no thread safety.
 */
#ifndef BENCH_SYSTEM_ENVIRONMENT_H
#define BENCH_SYSTEM_ENVIRONMENT_H

#include "core/attributes.h"
#include "system/text_list.h"

/* The value of `name` in a NULL-terminated environment, or NULL. Borrowed. */
const char *environment_get(const char *const *environment, const char *name);

/* Copies a whole environment, but for entries without '='; NULL is an empty one. */
void environment_copy(struct text_list *list, const char *const *environment);

/* Sets or replaces a variable; removes it, which is no error when it is not there. */
void environment_set(struct text_list *list, const char *name, const char *value);
void environment_unset(struct text_list *list, const char *name);

/* "NAME=value" sets, "NAME" removes; for each of a NULL-terminated array (NULL: none). */
void environment_apply(struct text_list *list, const char *const *changes);

#endif
