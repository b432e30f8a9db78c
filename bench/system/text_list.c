#include "system/text_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"

static void add_owned(struct text_list *list, char *text)
{
    char **grown =
        text == NULL ? NULL : reallocarray(list->items, list->count + 2, sizeof(*list->items));
    if (grown == NULL) {
        free(text);
        list->failed = true;
        return;
    }
    list->items = grown;
    list->items[list->count++] = text;
    list->items[list->count] = NULL;
}

void text_list_add(struct text_list *list, const char *text)
{
    add_owned(list, strdup(text));
}

void text_list_addf(struct text_list *list, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0) {
        text = NULL;
    }
    va_end(arguments);
    add_owned(list, text);
}

void text_list_remove(struct text_list *list, size_t index)
{
    CHECK(index < list->count);
    free(list->items[index]);
    memmove(&list->items[index], &list->items[index + 1],
            (list->count - index) * sizeof(*list->items));
    list->count--;
}

void text_array_free(char **items)
{
    for (char **item = items; item != NULL && *item != NULL; item++) {
        free(*item);
    }
    free(items);
}

void text_list_free(struct text_list *list)
{
    text_array_free(list->items);
    *list = (struct text_list){0};
}
