/*
 * Runs a fuzz target over the files that are given, and over the files in the folders that are
 * given, so that ordinary builds test what fuzzing has found.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path)
{
    struct bytes input;
    struct diag diag = {0};
    if (file_read_all(path, &input, &diag) != 0) {
        diag_print(&diag, "replay");
        return 0;
    }
    /* A copy of exactly this size, so that a sanitizer sees the first byte too far. */
    uint8_t *copy = malloc(input.size > 0 ? input.size : 1);
    if (copy != NULL) {
        memcpy(copy, input.data, input.size);
        LLVMFuzzerTestOneInput(copy, input.size);
    }
    free(copy);
    bytes_free(&input);
    return 1;
}

static int replay_folder(const char *path)
{
    DIR *folder = opendir(path);
    int count = 0;
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        char file[4096];
        if (entry->d_name[0] != '.') {
            snprintf(file, sizeof(file), "%s/%s", path, entry->d_name);
            count += replay_file(file);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return count;
}

int main(int argc, char **argv)
{
    int count = 0;
    for (int i = 1; i < argc; i++) {
        struct stat info;
        int is_folder = stat(argv[i], &info) == 0 && S_ISDIR(info.st_mode);
        count += is_folder ? replay_folder(argv[i]) : replay_file(argv[i]);
    }
    printf("%d inputs\n", count);
    return count > 0 ? 0 : 1;
}
