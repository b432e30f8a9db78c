#include "sweep/sweep.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "report/compare.h"
#include "report/report.h"
#include "sweep/dry_run.h"
#include "sweep/environment.h"
#include "sweep/port.h"
#include "sweep/progress.h"
#include "sweep/results_dir.h"
#include "sweep/run.h"
#include "sweep/target_version.h"
#include "system/interrupt.h"
#include "system/proc_sample.h"

/* A load average above this many processes a CPU is worth a warning. */
#define BUSY_PER_CPU 0.5

/* A signal ends a sweep, and so does a reader who has gone (`| head`): nobody would see the rest.
 */
static int check_wanted(const struct runner *runner, struct diag *diag)
{
    int write_errno = runner->progress->write_errno;
    if (interrupt_pending()) {
        return diag_fail(diag, ERR_INTERRUPTED, NULL, 0, "interrupted");
    }
    if (write_errno != 0) {
        return diag_fail(diag, ERR_SYSTEM, NULL, 0, "(standard output): cannot write: %s",
                         strerror(write_errno));
    }
    return 0;
}

static int make_all_runs(const struct runner *runner, struct diag *diag)
{
    const struct plan *plan = runner->site->plan;
    int status = check_wanted(runner, diag);
    for (size_t i = 0; status == 0 && i < plan->start_count; i++) {
        status = run_start(runner, &plan->starts[i], diag);
        if (status == 0 && i + 1 < plan->start_count) {
            status = check_wanted(runner, diag);
        }
    }
    return status;
}

static size_t count_counted(const struct results_dir *results)
{
    size_t count = 0;
    for (size_t i = 0; i < results->run_count; i++) {
        count += results->runs[i].counted;
    }
    return count;
}

/* Where everything is; only what is there is named. */
static void print_paths(const struct results_dir *results)
{
    static const char *const names[] = {
        "report.html", "compare.txt",     "runs.jsonl",       "runs.csv", "ministat/",
        "plots/",      "experiment.yaml", "environment.json", "logs/",
    };
    printf("\nResults: %s\n ", results->directory);
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        char *path = results_dir_path(results, "%s", names[i]);
        if (path != NULL && access(path, F_OK) == 0) {
            printf(" %s", names[i]);
        }
        free(path);
    }
    putchar('\n');
    char *report = results_dir_path(results, "report.html");
    if (report != NULL && access(report, F_OK) == 0) {
        printf("Report: %s\n", report);
    }
    free(report);
}

/* What was found, also when the sweep was cut short. */
static int conclude(const struct runner *runner, struct diag *diag)
{
    const struct results_dir *results = runner->results;
    progress_clear(runner->progress);
    if (count_counted(results) == 0) {
        return 0;
    }
    putchar('\n');
    fflush(stdout);
    int status = compare_results_directory(results->directory, stdout, diag);
    return status != 0 ? status : report_make(results->directory, stdout, diag);
}

/* Says how to go on, with the reason for the end that is in `diag`. */
static int explain_end(const struct runner *runner, int status, struct diag *diag)
{
    const struct results_dir *results = runner->results;
    if (status == 0) {
        return 0;
    }
    struct diag reason = *diag;
    *diag = (struct diag){0};
    return diag_fail(diag, reason.code, NULL, 0,
                     "%s; %zu of %zu runs are done, dnscope sweep --resume %s does the rest",
                     reason.message, count_counted(results), runner->progress->total,
                     results->directory);
}

static int longest_name(const struct plan *plan)
{
    size_t longest = 0;
    for (size_t i = 0; i < plan->setup_count; i++) {
        size_t length = strlen(plan->setups[i].name);
        longest = length > longest ? length : longest;
    }
    return (int)longest;
}

static int run_and_conclude(const struct site *site, const struct sweep_options *options,
                            struct results_dir *results, struct diag *diag)
{
    const struct repetitions *repetitions = &site->experiment->repetitions;
    double run_s = site->experiment->load.warmup_s + site->experiment->load.duration_s +
                   START_OVERHEAD_S / repetitions->runs_per_start;
    struct progress progress;
    progress_init(&progress, stdout, site->plan->start_count * repetitions->runs_per_start,
                  count_counted(results), run_s, longest_name(site->plan));
    progress_flush(&progress);
    char *version = target_version(site, results, options->environment);
    const struct runner runner = {site, results, &progress, version, options->environment};
    int status = environment_settle(site, results, version, diag);
    if (status != 0) {
        free(version);
        return status;
    }
    status = explain_end(&runner, make_all_runs(&runner, diag), diag);
    struct diag concluded = {0};
    int conclusion = conclude(&runner, &concluded);
    if (status == 0 && conclusion != 0) {
        status = diag_fail(diag, conclusion, NULL, 0, "%s", concluded.message);
    } else if (conclusion != 0) {
        diag_print(&concluded, "dnscope"); /* the end's own reason comes after it */
    }
    print_paths(results);
    free(version);
    return status;
}

static int check_port(const struct site *site, struct diag *diag)
{
    unsigned port = site->experiment->target.port;
    struct diag reason = {0};
    int status = port != 0 ? port_check_free(port, &reason) : 0;
    return status == 0 ? 0
                       : yaml_node_fail(experiment_node(site->experiment, "target", "port"), diag,
                                        status, "%s", reason.message);
}

int sweep_check(const struct site *site, const struct sweep_options *options, struct diag *diag)
{
    int status = options->resume != NULL      ? 0
                 : options->directory != NULL ? results_dir_check_new(options->directory, diag)
                                              : results_dir_check_default(diag);
    return status == 0 && site->topology.this_machine ? check_port(site, diag) : status;
}

/* What could not be seen before it was clear that something shall run. */
static int prepare(const struct site *site, struct diag *diag)
{
    if (!site->topology.this_machine) {
        return diag_fail(diag, ERR_UNSUPPORTED, NULL, 0,
                         "the topology is that of another machine (HWLOC_... is set in the "
                         "environment); only --dry-run can look at it");
    }
    return check_port(site, diag);
}

/* Said while there is still time to act. */
static void warn_of_load(const struct site *site)
{
    struct host_sample host;
    struct diag ignored = {0};
    struct cpu_set usable = {0};
    topology_usable(&site->topology, &usable);
    size_t cpus = cpu_set_count(&usable);
    if (host_sample_read(&host, &ignored) == 0 && host.load1 > BUSY_PER_CPU * (double)cpus) {
        printf("warning: the load average is %.1f on %zu CPU%s: other work disturbs what is "
               "measured\n",
               host.load1, cpus, cpus == 1 ? "" : "s");
    }
}

int sweep_run(const struct site *site, const struct sweep_options *options, struct diag *diag)
{
    struct results_dir results;
    int status = prepare(site, diag);
    if (status != 0) {
        return status;
    }
    interrupt_defer();
    signal(SIGPIPE, SIG_IGN); /* a reader who goes shall not end it between a run and its record */
    status = options->resume != NULL ? results_dir_open(options->resume, site->plan, &results, diag)
                                     : results_dir_create(options->directory, site->experiment,
                                                          site->plan, &results, diag);
    if (status != 0) {
        return status;
    }
    print_headline(site, stdout);
    printf("results in %s\n", results.directory);
    if (results.run_count > 0) {
        printf("%zu runs of it are there already\n", count_counted(&results));
    }
    warn_of_load(site);
    status = run_and_conclude(site, options, &results, diag);
    fflush(stdout);
    results_dir_close(&results);
    return status;
}
