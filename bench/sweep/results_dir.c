#include "sweep/results_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"

#define RUNS_FILE "runs.jsonl"

char *results_dir_path(const struct results_dir *results, const char *format, ...)
{
    char *name = NULL;
    char *path = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&name, format, arguments);
    va_end(arguments);
    if (length < 0) {
        return NULL;
    }
    if (asprintf(&path, "%s/%s", results->directory, name) < 0) {
        path = NULL;
    }
    free(name);
    return path;
}

static int no_memory(struct diag *diag)
{
    return diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
}

/* Makes a directory and those above it. */
static int make_directories(const char *path, struct diag *diag)
{
    char *part = strdup(path);
    if (part == NULL) {
        return no_memory(diag);
    }
    int status = 0;
    for (char *slash = part + 1; status == 0 && slash != NULL; slash++) {
        slash = strchr(slash, '/');
        if (slash != NULL) {
            *slash = '\0';
        }
        if (mkdir(part, 0777) != 0 && errno != EEXIST) {
            status = diag_fail_errno(diag, part, "cannot make the directory");
        }
        if (slash == NULL) {
            break;
        }
        *slash = '/';
    }
    free(part);
    return status;
}

int results_dir_check_default(struct diag *diag)
{
    const char *folder = access("results", F_OK) == 0 ? "results" : ".";
    return access(folder, W_OK | X_OK) == 0
               ? 0
               : diag_fail_errno(diag, folder,
                                 "cannot make a results directory here, -o DIR puts it elsewhere");
}

int results_dir_check_new(const char *directory, struct diag *diag)
{
    DIR *stream = opendir(directory);
    if (stream == NULL && errno == ENOENT) {
        return 0;
    }
    if (stream == NULL) {
        return diag_fail_errno(diag, directory, "cannot become the results directory");
    }
    size_t entries = 0;
    while (readdir(stream) != NULL) {
        entries++;
    }
    closedir(stream);
    /* "." and ".." are always there. */
    return entries <= 2 ? 0
                        : diag_fail(diag, ERR_EXISTS, directory, 0,
                                    "is there already; choose a new directory, or --resume this "
                                    "one to do what is missing");
}

static char *default_directory(const char *name)
{
    char stamp[32];
    struct tm utc;
    time_t now = time(NULL);
    gmtime_r(&now, &utc);
    strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ", &utc);
    char *path = NULL;
    return asprintf(&path, "results/%s-%s", name, stamp) < 0 ? NULL : path;
}

static int write_file(const struct results_dir *results, const char *name, const char *text,
                      struct diag *diag)
{
    char *path = results_dir_path(results, "%s", name);
    if (path == NULL) {
        return no_memory(diag);
    }
    int status = file_write_atomic(path, text, strlen(text), diag);
    free(path);
    return status;
}

/* Takes the directory for this process; the lock goes when the process does. */
static int lock(struct results_dir *results, struct diag *diag)
{
    results->lock_fd = open(results->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (results->lock_fd < 0) {
        return diag_fail_errno(diag, results->directory, "cannot open");
    }
    if (flock(results->lock_fd, LOCK_EX | LOCK_NB) != 0) {
        return diag_fail(diag, ERR_EXISTS, results->directory, 0,
                         "another dnscope sweep is at work in this directory");
    }
    return 0;
}

/* Makes what is below the directory. */
static int furnish(struct results_dir *results, struct diag *diag)
{
    static const char *const folders[] = {"logs", "ministat", "target"};
    int status = 0;
    for (size_t i = 0; status == 0 && i < ARRAY_LENGTH(folders); i++) {
        char *path = results_dir_path(results, "%s", folders[i]);
        status = path != NULL ? make_directories(path, diag) : no_memory(diag);
        free(path);
    }
    return status;
}

static int enter(const char *directory, const struct plan *plan, struct results_dir *results,
                 struct diag *diag)
{
    *results = (struct results_dir){.plan = plan, .lock_fd = -1};
    results->directory = realpath(directory, NULL);
    int status = results->directory != NULL
                     ? lock(results, diag)
                     : diag_fail_errno(diag, directory, "cannot open the results directory");
    if (status == 0) {
        status = furnish(results, diag);
    }
    if (status != 0) {
        results_dir_close(results);
    }
    return status;
}

static int create_in(const char *directory, const struct experiment *experiment,
                     const struct plan *plan, struct results_dir *results, struct diag *diag)
{
    int status = results_dir_check_new(directory, diag);
    if (status == 0) {
        status = make_directories(directory, diag);
    }
    if (status == 0) {
        status = enter(directory, plan, results, diag);
    }
    if (status != 0) {
        return status;
    }
    char *text = experiment_format(experiment);
    status = text != NULL ? write_file(results, "experiment.yaml", text, diag) : no_memory(diag);
    free(text);
    if (status != 0) {
        results_dir_close(results);
    }
    return status;
}

int results_dir_create(const char *directory, const struct experiment *experiment,
                       const struct plan *plan, struct results_dir *results, struct diag *diag)
{
    if (directory != NULL) {
        return create_in(directory, experiment, plan, results, diag);
    }
    struct diag reason = {0};
    char *path = default_directory(experiment->name);
    int status =
        path != NULL ? create_in(path, experiment, plan, results, &reason) : no_memory(&reason);
    free(path);
    return status == 0 ? 0
                       : diag_fail(diag, status, NULL, 0, "%s; -o DIR puts the results elsewhere",
                                   reason.message);
}

static int keep(struct results_dir *results, const struct run_summary *summary, struct diag *diag)
{
    if (results->run_count == results->run_capacity) {
        size_t capacity = results->run_capacity == 0 ? 64 : 2 * results->run_capacity;
        struct run_summary *grown = reallocarray(results->runs, capacity, sizeof(*grown));
        if (grown == NULL) {
            return no_memory(diag);
        }
        results->runs = grown;
        results->run_capacity = capacity;
    }
    results->runs[results->run_count++] = *summary;
    return 0;
}

/* One line of runs.jsonl, without its newline. */
static int read_line(struct results_dir *results, const char *path, unsigned line_number,
                     const char *line, size_t size, struct diag *diag)
{
    struct diag reason = {0};
    struct run_summary summary;
    json_error_t error;
    json_t *record = json_loadb(line, size, 0, &error);
    if (record == NULL) {
        return diag_fail(diag, ERR_SYNTAX, path, line_number, "not JSON: %s", error.text);
    }
    int status = record_read(record, results->plan, &summary, &reason);
    json_decref(record);
    if (status != 0) {
        return diag_fail(diag, status, path, line_number, "%s", reason.message);
    }
    if (summary.counted && results_dir_has(results, summary.setup, summary.block, summary.run)) {
        return diag_fail(diag, ERR_SYNTAX, path, line_number,
                         "is a run that an earlier line has, of setup, block and number: only one "
                         "of the two is right");
    }
    return keep(results, &summary, diag);
}

/* A crash may leave part of the last line; what is before it is whole. */
static int cut_torn_line(const char *path, size_t whole, size_t size, struct diag *diag)
{
    fprintf(stderr, "dnscope: %s: the last %zu bytes are a record that was not finished; cut off\n",
            path, size - whole);
    return truncate(path, (off_t)whole) == 0 ? 0 : diag_fail_errno(diag, path, "cannot cut");
}

static int read_lines(struct results_dir *results, const char *path, const struct bytes *text,
                      struct diag *diag)
{
    size_t at = 0;
    int status = 0;
    for (unsigned line = 1; status == 0 && at < text->size; line++) {
        const char *start = text->data + at;
        const char *newline = memchr(start, '\n', text->size - at);
        if (newline == NULL) {
            return cut_torn_line(path, at, text->size, diag);
        }
        status = read_line(results, path, line, start, (size_t)(newline - start), diag);
        at = (size_t)(newline - text->data) + 1;
    }
    return status;
}

static int read_runs(struct results_dir *results, struct diag *diag)
{
    char *path = results_dir_path(results, RUNS_FILE);
    if (path == NULL) {
        return no_memory(diag);
    }
    struct bytes text = {0};
    int status = access(path, F_OK) == 0 ? file_read_all(path, &text, diag) : 0;
    if (status == 0 && text.data != NULL) {
        status = read_lines(results, path, &text, diag);
        bytes_free(&text);
    }
    free(path);
    return status;
}

int results_dir_open(const char *directory, const struct plan *plan, struct results_dir *results,
                     struct diag *diag)
{
    int status = enter(directory, plan, results, diag);
    if (status == 0) {
        status = read_runs(results, diag);
        if (status != 0) {
            results_dir_close(results);
        }
    }
    return status;
}

void results_dir_close(struct results_dir *results)
{
    free(results->directory);
    free(results->runs);
    if (results->lock_fd >= 0) {
        close(results->lock_fd);
    }
    *results = (struct results_dir){.lock_fd = -1};
}

/* ministat/SETUP.txt: one rate a line, as ministat(1) reads it. */
static int write_ministat(const struct results_dir *results, size_t setup, struct diag *diag)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) {
        return no_memory(diag);
    }
    for (size_t i = 0; i < results->run_count; i++) {
        const struct run_summary *run = &results->runs[i];
        if (run->setup == setup && run->counted) {
            fprintf(out, "%.6f\n", run->qps);
        }
    }
    char *path = results_dir_path(results, "ministat/%s.txt", results->plan->setups[setup].name);
    int status = fclose(out) == 0 && path != NULL ? file_write_atomic(path, text, size, diag)
                                                  : no_memory(diag);
    free(path);
    free(text);
    return status;
}

static int append(const struct results_dir *results, const json_t *record, struct diag *diag)
{
    char *path = results_dir_path(results, RUNS_FILE);
    char *line = json_dumps(record, JSON_COMPACT | JSON_REAL_PRECISION(12));
    char *whole = NULL;
    int length = path != NULL && line != NULL ? asprintf(&whole, "%s\n", line) : -1;
    int status =
        length >= 0 ? file_append_synced(path, whole, (size_t)length, diag) : no_memory(diag);
    if (length >= 0) {
        free(whole);
    }
    free(line);
    free(path);
    return status;
}

int results_dir_add(struct results_dir *results, const json_t *record, struct diag *diag)
{
    struct run_summary summary;
    int status = record_read(record, results->plan, &summary, diag);
    if (status == 0) {
        status = append(results, record, diag);
    }
    if (status == 0) {
        status = keep(results, &summary, diag);
    }
    return status != 0 || !summary.counted ? status : write_ministat(results, summary.setup, diag);
}

bool results_dir_has(const struct results_dir *results, size_t setup, unsigned block, unsigned run)
{
    for (size_t i = 0; i < results->run_count; i++) {
        const struct run_summary *known = &results->runs[i];
        if (known->setup == setup && known->block == block && known->run == run && known->counted) {
            return true;
        }
    }
    return false;
}
