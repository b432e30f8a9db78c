#include "report/report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"
#include "report/plot_text.h"
#include "report/plots.h"
#include "report/report_page.h"
#include "report/results.h"
#include "report/runs_csv.h"
#include "report/text_file.h"

static const char interrupted[] =
    "The plots are left out: a signal came; dnscope report makes them.";
static const char failed_gnuplot[] =
    "The plots are left out: gnuplot failed; plots/gnuplot.log says why.";
static const char no_gnuplot[] =
    "The plots are left out: gnuplot is not installed (Debian: gnuplot-nox). "
    "Their scripts and data are in plots/.";

struct sources {
    struct results results;
    json_t *environment;
    struct bytes experiment;
};

/* A file of the directory that may be missing: then `out` stays empty. `path` is for diagnoses; the
 * caller frees it. */
static int read_optional(const char *directory, const char *name, char **path, struct bytes *out,
                         struct diag *diag)
{
    *out = (struct bytes){0};
    if (asprintf(path, "%s/%s", directory, name) < 0) {
        *path = NULL;
        return diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
    }
    return access(*path, F_OK) == 0 ? file_read_all(*path, out, diag) : 0;
}

static int read_environment(const char *directory, json_t **environment, struct diag *diag)
{
    char *path = NULL;
    struct bytes bytes;
    int status = read_optional(directory, "environment.json", &path, &bytes, diag);
    if (status == 0 && bytes.data != NULL) {
        json_error_t error;
        *environment = json_loadb(bytes.data, bytes.size, 0, &error);
        if (*environment == NULL) {
            unsigned line = error.line > 0 ? (unsigned)error.line : 0;
            status = diag_fail(diag, ERR_SYNTAX, path, line, "is not JSON: %s", error.text);
        } else if (!json_is_object(*environment)) {
            status = diag_fail(diag, ERR_SYNTAX, path, 0, "a JSON object is right");
        }
    }
    bytes_free(&bytes);
    free(path);
    return status;
}

static int read_text(const char *directory, const char *name, struct bytes *out, struct diag *diag)
{
    char *path = NULL;
    int status = read_optional(directory, name, &path, out, diag);
    free(path);
    return status;
}

static void sources_free(struct sources *sources)
{
    results_free(&sources->results);
    json_decref(sources->environment);
    bytes_free(&sources->experiment);
}

static int sources_load(const char *directory, struct sources *sources, struct diag *diag)
{
    int status = results_load(directory, &sources->results, diag);
    if (status == 0) {
        status = read_environment(directory, &sources->environment, diag);
    }
    if (status == 0) {
        status = read_text(directory, "experiment.yaml", &sources->experiment, diag);
    }
    return status;
}

static int write_csv(const char *directory, const struct results *results, struct diag *diag)
{
    struct text_file text;
    int status = text_file_open(&text, diag);
    if (status != 0) {
        return status;
    }
    runs_csv_print(results, text.out);
    return text_file_save(&text, directory, "runs.csv", diag);
}

static int read_plots(const char *directory, struct report_input *input, struct diag *diag)
{
    int status = 0;
    for (size_t i = 0; plot_names[i] != NULL && i < REPORT_PLOTS_MAX && status == 0; i++) {
        char name[64];
        snprintf(name, sizeof(name), "plots/%s.svg", plot_names[i]);
        status = read_text(directory, name, &input->plots[i], diag);
    }
    return status;
}

/* Plots that cannot be made are no reason to have no page: it says why they are missing. A failure
 * that is nobody's wish is returned all the same. */
static int make_plots(const char *directory, struct report_input *input, FILE *notes,
                      struct diag *diag)
{
    if (!plots_have_data(input->results)) {
        return 0;
    }
    int status = plots_make(input->results, directory, diag);
    if (status == 0) {
        return read_plots(directory, input, diag);
    }
    if (status == ERR_NOT_FOUND && diag->code == 0) {
        input->plots_note = no_gnuplot;
    } else if (status == ERR_INTERRUPTED) {
        input->plots_note = interrupted;
        *diag = (struct diag){0};
    } else {
        input->plots_note = failed_gnuplot;
        return status;
    }
    fprintf(notes, "%s\n", input->plots_note);
    return 0;
}

static int write_page(const char *directory, const struct report_input *input, struct diag *diag)
{
    struct text_file text;
    int status = text_file_open(&text, diag);
    if (status != 0) {
        return status;
    }
    status = report_page_print(input, text.out, diag);
    if (status != 0) {
        if (text_file_take(&text, diag) == 0) {
            free(text.text);
        }
        return status;
    }
    return text_file_save(&text, directory, "report.html", diag);
}

/* The last part of the directory's real path, so that "." has a name, too. */
static char *name_of(const char *directory)
{
    char *path = realpath(directory, NULL);
    if (path == NULL) {
        return NULL;
    }
    const char *slash = strrchr(path, '/');
    char *name = strdup(slash != NULL && slash[1] != '\0' ? slash + 1 : path);
    free(path);
    return name;
}

int report_make(const char *directory, FILE *notes, struct diag *diag)
{
    struct sources sources = {0};
    struct report_input input = {.results = &sources.results, .experiment = &sources.experiment};
    char *name = NULL;
    int status = sources_load(directory, &sources, diag);
    if (status == 0) {
        name = name_of(directory);
        status = name == NULL ? diag_fail_errno(diag, directory, "cannot use the folder") : 0;
    }
    if (status == 0) {
        input.name = name;
        input.environment = sources.environment;
        status = write_csv(directory, &sources.results, diag);
    }
    if (status == 0) {
        int plots_status = make_plots(directory, &input, notes, diag);
        status = write_page(directory, &input, diag);
        status = status != 0 ? status : plots_status;
    }
    for (size_t i = 0; i < REPORT_PLOTS_MAX; i++) {
        bytes_free(&input.plots[i]);
    }
    free(name);
    sources_free(&sources);
    return status;
}
