#include "report/text_file.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/file.h"

int text_file_open(struct text_file *file, struct diag *diag)
{
    *file = (struct text_file){0};
    file->out = open_memstream(&file->text, &file->size);
    if (file->out == NULL) {
        diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
        return ERR_MEMORY;
    }
    return 0;
}

int text_file_take(struct text_file *file, struct diag *diag)
{
    int failed = ferror(file->out);
    failed |= fclose(file->out) != 0;
    file->out = NULL;
    if (failed) {
        free(file->text);
        *file = (struct text_file){0};
        diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
        return ERR_MEMORY;
    }
    return 0;
}

int text_file_save(struct text_file *file, const char *directory, const char *name,
                   struct diag *diag)
{
    int status = text_file_take(file, diag);
    if (status != 0) {
        return status;
    }
    char *path = NULL;
    if (asprintf(&path, "%s/%s", directory, name) < 0) {
        free(file->text);
        return diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
    }
    status = file_write_atomic(path, file->text, file->size, diag);
    free(path);
    free(file->text);
    *file = (struct text_file){0};
    return status;
}
