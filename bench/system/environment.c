#include "system/environment.h"

#include <string.h>

static size_t name_length(const char *assignment)
{
    return strcspn(assignment, "=");
}

static int has_name(const char *assignment, const char *name, size_t length)
{
    return strncmp(assignment, name, length) == 0 && assignment[length] == '=';
}

const char *environment_get(const char *const *environment, const char *name)
{
    size_t length = strlen(name);
    for (; environment != NULL && *environment != NULL; environment++) {
        if (has_name(*environment, name, length)) {
            return *environment + length + 1;
        }
    }
    return NULL;
}

void environment_copy(struct text_list *list, const char *const *environment)
{
    for (; environment != NULL && *environment != NULL; environment++) {
        if (strchr(*environment, '=') != NULL) {
            text_list_add(list, *environment);
        }
    }
}

static void remove_name(struct text_list *list, const char *name, size_t length)
{
    for (size_t i = list->count; i > 0; i--) {
        if (has_name(list->items[i - 1], name, length)) {
            text_list_remove(list, i - 1);
        }
    }
}

void environment_unset(struct text_list *list, const char *name)
{
    remove_name(list, name, strlen(name));
}

void environment_set(struct text_list *list, const char *name, const char *value)
{
    environment_unset(list, name);
    text_list_addf(list, "%s=%s", name, value);
}

void environment_apply(struct text_list *list, const char *const *changes)
{
    for (; changes != NULL && *changes != NULL; changes++) {
        size_t length = name_length(*changes);
        remove_name(list, *changes, length);
        if ((*changes)[length] == '=') {
            text_list_add(list, *changes);
        }
    }
}
