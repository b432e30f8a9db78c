#include "sweep/run.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/error.h"
#include "core/file.h"
#include "sweep/describe.h"
#include "sweep/load_log.h"
#include "sweep/masks.h"
#include "sweep/port.h"
#include "sweep/ready.h"
#include "sweep/record.h"
#include "sweep/run_paths.h"
#include "sweep/watch.h"
#include "system/log_tail.h"
#include "system/process.h"

#define TAIL_LINES      8
#define LAST_LINE_SIZE  256
#define TARGET_GRACE_US (UINT64_C(5000) * 1000)
#define LOAD_GRACE_US   (UINT64_C(3000) * 1000)

/* What a load tool may take beside its warm-up, its measured time and its last timeouts. */
#define LOAD_SLACK_S 20.0

/* One start of the target. */
struct start {
    const struct runner *runner;
    const struct plan_start *plan;
    const char *setup; /* its name */
    struct run_paths paths;
    struct process target;
    double ready_s;
};

/* One run with it, from before the load tool starts until its record is written. */
struct run {
    struct start *start;
    unsigned number;
    pid_t target_pid;
    char started_at[CLOCK_UTC_SIZE];
    struct watch watch;
    json_t *load; /* what the load tool found */
    json_t *host;
    bool interrupted;
    bool unclean_stop;
    char exit[PROCESS_EXIT_TEXT_SIZE]; /* of the target; empty while it runs */
};

static int write_config(const struct start *start, struct diag *diag)
{
    const struct site *site = start->runner->site;
    if (site->target->config == NULL) {
        return 0;
    }
    struct target_place place = describe_place(site, start->plan->setup, &start->paths.names);
    int status = target_check_path(place.directory, diag);
    if (status == 0) {
        status = target_check_path(place.origin, diag);
    }
    if (status != 0) {
        return status;
    }
    char *text = site->target->config(&place);
    char *path = results_dir_path(start->runner->results, "target/%s", site->target->config_name);
    status = text != NULL && path != NULL ? file_write_atomic(path, text, strlen(text), diag)
                                          : diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
    free(path);
    free(text);
    return status;
}

static int start_target(struct start *start, struct diag *diag)
{
    const struct runner *runner = start->runner;
    struct launch launch;
    int status = describe_target(runner->site, start->plan->setup, &start->paths.names,
                                 runner->environment, &launch, diag);
    if (status == 0) {
        status = process_start(&launch, &start->target, diag);
        launch_free(&launch);
        if (status != 0 && status != ERR_INTERRUPTED) {
            status = diag->code = ERR_TARGET; /* whatever the reason, it is the target's */
        }
    }
    return status;
}

static int start_load(struct run *run, struct process *load, struct diag *diag)
{
    const struct start *start = run->start;
    const struct runner *runner = start->runner;
    struct launch launch;
    unlink(start->paths.names.load_json);
    int status = describe_load(runner->site, start->plan->setup, &start->paths.names,
                               runner->environment, &launch, diag);
    if (status == 0) {
        status = process_start(&launch, load, diag);
        launch_free(&launch);
    }
    return status;
}

static void show_step(void *context, double elapsed_s)
{
    const struct start *start = context;
    const struct runner *runner = start->runner;
    if (runner->progress->live) {
        bool warm = elapsed_s >= runner->site->experiment->load.warmup_s;
        progress_step(runner->progress, start->setup, warm ? "measuring" : "warming up",
                      load_log_rate(start->paths.names.load_log));
    }
}

/* The tool's own last words are the cause; it has none where the disk had no room for them. */
static int fail_of_load(const struct run *run, const struct process_exit *exit, struct diag *diag)
{
    const char *log = run->start->paths.names.load_log;
    char text[PROCESS_EXIT_TEXT_SIZE];
    char cause[LAST_LINE_SIZE];
    process_exit_format(exit, text);
    log_tail_last_line(log, cause, sizeof(cause));
    progress_clear(run->start->runner->progress);
    log_tail_print(log, TAIL_LINES, "load");
    return diag_fail(diag, ERR_SYSTEM, NULL, 0, "the load tool failed: it %s: %s; its log is %s",
                     text, cause[0] != '\0' ? cause : "(no word of why: is the disk full?)", log);
}

/* Reads what the load tool left; `status` stays an earlier failure. */
static int read_load(struct run *run, const struct process_exit *exit, int status,
                     struct diag *diag)
{
    const struct run_names *names = &run->start->paths.names;
    json_error_t error;
    run->load = json_load_file(names->load_json, 0, &error);
    if (run->load != NULL) {
        unlink(names->load_json);
    }
    if (status != 0) {
        return status;
    }
    if (run->load == NULL || exit->wait_status != 0) {
        return fail_of_load(run, exit, diag);
    }
    const struct start *start = run->start;
    const struct placement *placement = &start->runner->site->placements[start->plan->setup];
    return masks_check_load(run->load, &placement->client, start->setup, diag);
}

static uint64_t nanoseconds(double seconds)
{
    return (uint64_t)(seconds * (double)NS_PER_S);
}

/* Runs the load tool and looks at both sides; the target stays. */
static int measure(struct run *run, struct diag *diag)
{
    struct start *start = run->start;
    const struct site *site = start->runner->site;
    const struct load_settings *settings = &site->experiment->load;
    const struct placement *placement = &site->placements[start->plan->setup];
    struct process load = {0};
    struct process_exit exit = {0};
    clock_format_utc(run->started_at);
    int status = start_load(run, &load, diag);
    if (status != 0) {
        return status;
    }
    run->watch = (struct watch){
        .target = &start->target,
        .load = &load,
        .begin_ns = clock_monotonic_ns(),
        .warmup_ns = nanoseconds(settings->warmup_s),
        .measure_ns = nanoseconds(settings->duration_s),
        .limit_ns = nanoseconds(settings->warmup_s + settings->duration_s + settings->timeout_s +
                                LOAD_SLACK_S),
        .tick = show_step,
        .context = start,
    };
    status = watch_run(&run->watch, diag);
    run->interrupted = status == ERR_INTERRUPTED;
    process_stop(&load, LOAD_GRACE_US, &exit, diag);
    status = read_load(run, &exit, status, diag);
    if (run->watch.first.valid && run->watch.last.valid) {
        run->host = host_sample_json(&run->watch.first.host, &run->watch.last.host);
        if (status == 0) {
            status =
                masks_check_target(&run->watch.last.target, &placement->server, start->setup, diag);
        }
    }
    return status;
}

/* The counters that libpscope wrote when the target ended, or NULL. */
static json_t *read_pscope(const struct start *start)
{
    json_error_t error;
    json_t *pscope = json_load_file(start->paths.names.pscope_stats, 0, &error);
    if (pscope != NULL) {
        unlink(start->paths.names.pscope_stats);
    }
    return pscope;
}

static int record(struct run *run, const json_t *pscope, struct diag *diag)
{
    const struct start *start = run->start;
    const struct runner *runner = start->runner;
    struct watch *watch = &run->watch;
    bool sampled = watch->first.valid && watch->last.valid;
    double sample_s = 0;
    if (sampled) {
        proc_sample_since(&watch->last.target, &watch->first.target);
        sample_s = (double)(watch->last.at_ns - watch->first.at_ns) / (double)NS_PER_S;
    }
    struct record_input input = {
        .site = runner->site,
        .start = start->plan,
        .run = run->number,
        .position = runner->progress->done + 1,
        .started_at = run->started_at,
        .load = run->load,
        .target_pid = run->target_pid,
        .target = sampled ? &watch->last.target : NULL,
        .sample_s = sample_s,
        .ready_s = start->ready_s,
        .version = runner->version,
        .pscope = pscope,
        .host = run->host,
        .exit = run->exit[0] != '\0' ? run->exit : NULL,
        .target_died = watch->target_died,
        .unclean_stop = run->unclean_stop,
        .interrupted = run->interrupted,
    };
    json_t *object = record_make(&input, diag);
    if (object == NULL) {
        return diag->code;
    }
    int status = results_dir_add(runner->results, object, diag);
    json_decref(object);
    if (status == 0) {
        progress_run(runner->progress, start->setup,
                     &runner->results->runs[runner->results->run_count - 1]);
    }
    return status;
}

static void run_free(struct run *run)
{
    watch_free(&run->watch);
    json_decref(run->load);
    json_decref(run->host);
    *run = (struct run){0};
}

/* Ends the target, or reaps it when it has ended by itself; once more does nothing. */
static void stop_target(struct start *start, struct process_exit *exit)
{
    struct diag ignored = {0};
    *exit = (struct process_exit){0};
    process_stop(&start->target, TARGET_GRACE_US, exit, &ignored);
}

static void show_target_log(const struct start *start)
{
    progress_clear(start->runner->progress);
    log_tail_print(start->paths.names.target_log, TAIL_LINES, start->runner->site->target->name);
}

/* Whether a run that did not succeed is worth a line in runs.jsonl. */
static bool is_worth_recording(const struct run *run, int status)
{
    return status == 0 || run->interrupted || run->watch.target_died;
}

static bool is_last(const struct start *start, unsigned number)
{
    return number == start->runner->site->experiment->repetitions.runs_per_start;
}

/*
 * One run. The last one of a start is recorded after the target's end, because the way that it ends
 * and libpscope's counters belong to the record.
 */
static int make_run(struct start *start, unsigned number, struct diag *diag)
{
    struct run run = {.start = start, .number = number, .target_pid = start->target.pid};
    struct diag failure = {0};
    int status = measure(&run, &failure);
    json_t *pscope = NULL;
    if (status != 0 || is_last(start, number)) {
        struct process_exit exit;
        stop_target(start, &exit);
        process_exit_format(&exit, run.exit);
        run.unclean_stop = exit.wait_status != 0 && !run.watch.target_died;
        pscope = read_pscope(start);
        if (run.watch.target_died) {
            show_target_log(start);
            failure = (struct diag){0};
            diag_fail(&failure, ERR_TARGET, NULL, 0,
                      "the target died in block %u of %s: it %s; its log is %s", start->plan->block,
                      start->setup, run.exit, start->paths.names.target_log);
        }
    }
    if (is_worth_recording(&run, status)) {
        int recorded = record(&run, pscope, diag);
        status = status != 0 ? status : recorded;
    }
    if (failure.code != 0) {
        diag_fail(diag, failure.code, NULL, 0, "%s", failure.message);
    }
    json_decref(pscope);
    run_free(&run);
    return status;
}

static bool has_run(const struct start *start, unsigned number)
{
    return results_dir_has(start->runner->results, start->plan->setup, start->plan->block, number);
}

/* Starts the server and waits for its first answer. */
static int bring_up(struct start *start, struct diag *diag)
{
    const struct runner *runner = start->runner;
    uint64_t begin_ns = clock_monotonic_ns();
    int status = write_config(start, diag);
    if (status == 0) {
        status = start_target(start, diag);
    }
    if (status != 0) {
        return status;
    }
    progress_step(runner->progress, start->setup, "starting", -1);
    status = ready_wait(&start->target, start->paths.port_number, runner->site->origin,
                        RUN_READY_TIMEOUT_US, diag);
    start->ready_s = (double)(clock_monotonic_ns() - begin_ns) / (double)NS_PER_S;
    if (status == ERR_TARGET) {
        show_target_log(start);
    }
    return status;
}

static int make_runs(struct start *start, struct diag *diag)
{
    unsigned runs = start->runner->site->experiment->repetitions.runs_per_start;
    int status = bring_up(start, diag);
    for (unsigned number = 1; status == 0 && number <= runs; number++) {
        if (!has_run(start, number)) {
            status = make_run(start, number, diag);
        }
    }
    return status;
}

static bool is_complete(const struct start *start)
{
    unsigned runs = start->runner->site->experiment->repetitions.runs_per_start;
    for (unsigned number = 1; number <= runs; number++) {
        if (!has_run(start, number)) {
            return false;
        }
    }
    return true;
}

/* The experiment's port, or a free one. */
static int find_port(const struct site *site, unsigned *port, struct diag *diag)
{
    *port = site->experiment->target.port;
    return *port != 0 ? port_check_free(*port, diag) : port_choose(port, diag);
}

int run_start(const struct runner *runner, const struct plan_start *plan, struct diag *diag)
{
    struct start start = {
        .runner = runner,
        .plan = plan,
        .setup = runner->site->plan->setups[plan->setup].name,
    };
    unsigned port = 0;
    if (is_complete(&start)) {
        return 0;
    }
    int status = find_port(runner->site, &port, diag);
    if (status == 0) {
        status = run_paths_make(runner->results, plan, port, &start.paths, diag);
    }
    if (status != 0) {
        return status;
    }
    status = make_runs(&start, diag);
    struct process_exit exit;
    stop_target(&start, &exit);
    run_paths_free(&start.paths);
    return status;
}
