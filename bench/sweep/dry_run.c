#include "sweep/dry_run.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "sweep/describe.h"
#include "sweep/run_paths.h"

/* Lines of the order that are printed. */
#define LINES_SHOWN 20

void duration_format(double seconds, char text[DURATION_TEXT_SIZE])
{
    unsigned long whole = (unsigned long)(seconds + 0.5);
    if (whole < 60) {
        snprintf(text, DURATION_TEXT_SIZE, "%lu s", whole);
    } else if (whole < 3600) {
        snprintf(text, DURATION_TEXT_SIZE, "%lu min %lu s", whole / 60, whole % 60);
    } else {
        snprintf(text, DURATION_TEXT_SIZE, "%lu h %lu min", whole / 3600, whole / 60 % 60);
    }
}

void print_headline(const struct site *site, FILE *out)
{
    const struct experiment *experiment = site->experiment;
    const struct repetitions *repetitions = &experiment->repetitions;
    double run_s = experiment->load.warmup_s + experiment->load.duration_s;
    size_t runs = site->plan->start_count * repetitions->runs_per_start;
    char duration[DURATION_TEXT_SIZE];
    duration_format((double)runs * run_s + (double)site->plan->start_count * START_OVERHEAD_S,
                    duration);
    fprintf(out, "%s: %zu setup%s x %u start%s", experiment->name, site->plan->setup_count,
            site->plan->setup_count == 1 ? "" : "s", repetitions->starts,
            repetitions->starts == 1 ? "" : "s");
    if (repetitions->runs_per_start > 1) {
        fprintf(out, " x %u runs", repetitions->runs_per_start);
    }
    fprintf(out, " = %zu run%s of %g s on %s, %s, seed %llu; about %s\n", runs,
            runs == 1 ? "" : "s", run_s, site->target->name, run_order_name(experiment->order),
            (unsigned long long)experiment->seed, duration);
}

static void print_cpus(const struct cpu_set *cpus, FILE *out)
{
    char text[CPU_SET_TEXT_SIZE];
    cpu_set_format(cpus, text, sizeof(text));
    fputs(text, out);
}

static void print_placement(const struct placement *placement, FILE *out)
{
    fputs("  server on CPUs ", out);
    print_cpus(&placement->server, out);
    fputs(", load on CPUs ", out);
    print_cpus(&placement->client, out);
    for (unsigned flag = 1; flag <= placement->flags; flag <<= 1) {
        if (placement->flags & flag) {
            fprintf(out, ", %s", placement_flag_name((enum placement_flag)flag));
        }
    }
    fputc('\n', out);
}

static int print_launch(const char *side, struct launch *launch, const char *const *environment,
                        FILE *out, struct diag *diag)
{
    char *line = launch_format(launch, environment);
    launch_free(launch);
    if (line == NULL) {
        return diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
    }
    fprintf(out, "  %s: %s\n", side, line);
    free(line);
    return 0;
}

/* The configuration that the target is given, where it has one; all setups have the same. */
static int print_config(const struct site *site, const struct run_names *names, FILE *out,
                        struct diag *diag)
{
    if (site->target->config == NULL) {
        return 0;
    }
    struct target_place place = describe_place(site, 0, names);
    char *text = site->target->config(&place);
    if (text == NULL) {
        return diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
    }
    fprintf(out, "\n%s/%s:\n%s", names->target_directory, site->target->config_name, text);
    free(text);
    return 0;
}

/* The paths of a setup's start in the first block, with words for what only a real sweep knows. */
static int make_paths(const struct site *site, size_t setup, struct run_paths *paths,
                      struct diag *diag)
{
    char directory[] = "DIR";
    const struct results_dir results = {.directory = directory, .plan = site->plan};
    const struct plan_start start = {setup, 1};
    unsigned port = site->experiment->target.port;
    int status = run_paths_make(&results, &start, port, paths, diag);
    if (status == 0 && port == 0) {
        snprintf(paths->port, sizeof(paths->port), "PORT");
    }
    return status;
}

static int print_processes(const struct site *site, size_t setup, const struct run_names *names,
                           const char *const *environment, FILE *out, struct diag *diag)
{
    struct launch launch;
    int status = describe_target(site, setup, names, environment, &launch, diag);
    if (status == 0) {
        status = print_launch("server", &launch, environment, out, diag);
    }
    if (status == 0) {
        status = describe_load(site, setup, names, environment, &launch, diag);
    }
    return status != 0 ? status : print_launch("load", &launch, environment, out, diag);
}

/* The last setup's configuration is that of all. */
static int print_setup(const struct site *site, size_t setup, const char *const *environment,
                       FILE *out, struct diag *diag)
{
    struct run_paths paths;
    fprintf(out, "\n%s\n", site->plan->setups[setup].name);
    print_placement(&site->placements[setup], out);
    int status = make_paths(site, setup, &paths, diag);
    if (status != 0) {
        return status;
    }
    status = print_processes(site, setup, &paths.names, environment, out, diag);
    if (status == 0 && setup + 1 == site->plan->setup_count) {
        status = print_config(site, &paths.names, out, diag);
    }
    run_paths_free(&paths);
    return status;
}

/* A line for each block; for the sequential order all starts are in lines of the same length. */
static void print_order(const struct site *site, FILE *out)
{
    const struct plan *plan = site->plan;
    bool blocks = site->experiment->order == ORDER_RANDOMIZED_BLOCKS;
    CHECK(plan->setup_count > 0);
    fprintf(out, "\nOrder of the starts:");
    for (size_t i = 0; i < plan->start_count; i++) {
        size_t line = i / plan->setup_count;
        if (line == LINES_SHOWN) {
            fprintf(out, "\n  and %zu starts more", plan->start_count - i);
            break;
        }
        if (i % plan->setup_count == 0 && blocks) {
            fprintf(out, "\n  block %u:", plan->starts[i].block);
        } else if (i % plan->setup_count == 0) {
            fputs("\n ", out);
        }
        fprintf(out, " %s", plan->setups[plan->starts[i].setup].name);
    }
    fputc('\n', out);
}

int dry_run_print(const struct site *site, const char *const *environment, FILE *out,
                  struct diag *diag)
{
    int status = 0;
    print_headline(site, out);
    fprintf(out, "before the first run, for the version: %s %s\n", site->program,
            site->target->version_option);
    for (size_t i = 0; status == 0 && i < site->plan->setup_count; i++) {
        status = print_setup(site, i, environment, out, diag);
    }
    if (status == 0) {
        print_order(site, out);
    }
    return status;
}
