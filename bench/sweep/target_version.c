#include "sweep/target_version.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "system/launch.h"
#include "system/process.h"

#define TIMEOUT_US (UINT64_C(2000) * 1000)

static void run_program(const struct site *site, const char *log_path,
                        const char *const *environment)
{
    const char *argv[] = {site->program, site->target->version_option, NULL};
    struct launch_request request = {
        .program = site->program,
        .argv = argv,
        .inherited = environment,
        .log_path = log_path,
    };
    struct diag ignored = {0};
    struct launch launch;
    struct process process = {0};
    if (launch_make(&request, &launch, &ignored) != 0) {
        return;
    }
    if (process_start(&launch, &process, &ignored) == 0) {
        /* However the wait ends, what was printed is what there is. */
        int waited = process_wait(&process, TIMEOUT_US, &ignored);
        (void)waited;
        process_stop(&process, 0, NULL, &ignored);
    }
    launch_free(&launch);
}

char *target_version(const struct site *site, const struct results_dir *results,
                     const char *const *environment)
{
    char *path = results_dir_path(results, "logs/target-version.txt");
    char *version = NULL;
    struct bytes text;
    struct diag ignored = {0};
    if (path == NULL) {
        return NULL;
    }
    unlink(path);
    run_program(site, path, environment);
    if (file_read_all(path, &text, &ignored) == 0) {
        size_t length = text.data != NULL ? strcspn(text.data, "\r\n") : 0;
        version = length > 0 ? strndup(text.data, length) : NULL;
        bytes_free(&text);
    }
    free(path);
    return version;
}
