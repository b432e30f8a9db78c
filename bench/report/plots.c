#include "report/plots.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/error.h"
#include "core/file.h"
#include "report/plot_text.h"
#include "report/text_file.h"
#include "system/launch.h"
#include "system/locate.h"
#include "system/process.h"

#define GNUPLOT_TIMEOUT_US (60 * NS_PER_S / NS_PER_US)
#define GNUPLOT_GRACE_US   (2 * NS_PER_S / NS_PER_US)

static int write_plot_file(const struct results *results, const char *folder,
                           const struct plot_file *file, struct diag *diag)
{
    struct text_file text;
    int status = text_file_open(&text, diag);
    if (status != 0) {
        return status;
    }
    file->print(results, text.out);
    return text_file_save(&text, folder, file->name, diag);
}

static int write_plot_files(const struct results *results, const char *folder, struct diag *diag)
{
    int status = 0;
    for (const struct plot_file *file = plot_files; file->name != NULL && status == 0; file++) {
        status = write_plot_file(results, folder, file, diag);
    }
    return status;
}

/* Waits for its end; anything but exit status 0 is an error that points to the log. */
static int finish(struct process *process, const char *log_path, struct diag *diag)
{
    struct process_exit result = {0};
    int status = process_wait(process, GNUPLOT_TIMEOUT_US, diag);
    int stopped = process_stop(process, GNUPLOT_GRACE_US, &result, diag);
    if (status != 0 || stopped != 0) {
        return diag_fail(diag, status != 0 ? status : stopped, NULL, 0, "gnuplot did not end");
    }
    if (!WIFEXITED(result.wait_status) || WEXITSTATUS(result.wait_status) != 0) {
        char text[PROCESS_EXIT_TEXT_SIZE];
        process_exit_format(&result, text);
        return diag_fail(diag, ERR_SYSTEM, log_path, 0, "gnuplot %s; this file says why", text);
    }
    return 0;
}

static int run_gnuplot(const char *program, const char *folder, const char *script,
                       const char *log_path, struct diag *diag)
{
    const char *const argv[] = {"gnuplot", script, NULL};
    const char *const extra[] = {"LC_ALL=C", NULL};
    const struct launch_request request = {
        .program = program,
        .argv = argv,
        .inherited = (const char *const *)environ,
        .extra = extra,
        .working_directory = folder,
        .log_path = log_path,
    };
    struct launch launch;
    int status = launch_make(&request, &launch, diag);
    if (status != 0) {
        return status;
    }
    struct process process = {0};
    status = process_start(&launch, &process, diag);
    if (status == 0) {
        status = finish(&process, log_path, diag);
    }
    launch_free(&launch);
    return status;
}

static int run_scripts(const char *program, const char *folder, struct diag *diag)
{
    char *log_path = NULL;
    if (asprintf(&log_path, "%s/gnuplot.log", folder) < 0) {
        return diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
    }
    unlink(log_path);
    int status = 0;
    for (size_t i = 0; plot_names[i] != NULL && status == 0; i++) {
        char script[64];
        snprintf(script, sizeof(script), "%s.gp", plot_names[i]);
        status = run_gnuplot(program, folder, script, log_path, diag);
    }
    if (status == 0 || status == ERR_INTERRUPTED) {
        unlink(log_path);
    }
    free(log_path);
    return status;
}

/* The plots' folder, made when it is not there, as an absolute path; the caller frees it. */
static int make_folder(const char *directory, char **folder, struct diag *diag)
{
    char *path = NULL;
    if (asprintf(&path, "%s/plots", directory) < 0) {
        diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
        return ERR_MEMORY;
    }
    int status = 0;
    if ((mkdir(path, 0777) != 0 && errno != EEXIST) || (*folder = realpath(path, NULL)) == NULL) {
        diag_fail_errno(diag, path, "cannot make the folder");
        status = ERR_SYSTEM;
    }
    free(path);
    return status;
}

int plots_make(const struct results *results, const char *directory, struct diag *diag)
{
    char *folder = NULL;
    char *program = NULL;
    struct diag unsaid = {0};
    int status = make_folder(directory, &folder, diag);
    if (status == 0) {
        status = write_plot_files(results, folder, diag);
    }
    if (status == 0) {
        status = locate_program("gnuplot", &program, &unsaid);
    }
    if (status == 0) {
        status = run_scripts(program, folder, diag);
    }
    free(program);
    free(folder);
    return status;
}
