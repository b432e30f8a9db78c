#include "model.h"

#include <string.h>

const struct model *const models[] = {&model_reuseport, &model_shared, &model_dispatch, NULL};

const struct model *model_find(const char *name)
{
    for (const struct model *const *model = models; *model != NULL; model++) {
        if (strcmp((*model)->name, name) == 0) {
            return *model;
        }
    }
    return NULL;
}
