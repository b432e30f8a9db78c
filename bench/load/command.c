/* `dnscope load`: from the command line to the result's writers. */
#include "command.h"

#include <stdio.h>
#include <time.h>

#include "core/diag.h"
#include "core/error.h"
#include "core/output.h"
#include "dns/query_file.h"
#include "load/address.h"
#include "load/json.h"
#include "load/options.h"
#include "load/run.h"
#include "load/scope.h"
#include "load/text.h"
#include "system/interrupt.h"

/* One invocation. */
struct invocation {
    int argc;
    char **argv;
    struct load_options options;
    FILE *out; /* of the text */
    struct output json;
    bool has_json;
    struct query_set queries;
    struct address server;
    struct load_result result;
};

static void warn(void *context, const char *message)
{
    const struct invocation *invocation = context;
    FILE *out = invocation->options.warnings_on_stdout ? invocation->out : stderr;
    fprintf(out, "dnscope: warning: %s\n", message);
}

static void on_start(void *context, const struct load_result *so_far)
{
    const struct invocation *invocation = context;
    load_text_start(invocation->out, invocation->argc, invocation->argv, &invocation->options,
                    so_far);
}

static void on_interval(void *context, const struct load_interval *sum,
                        const struct load_interval *threads, uint32_t thread_count)
{
    const struct invocation *invocation = context;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    load_text_interval(invocation->out, (double)now.tv_sec + (double)now.tv_nsec / 1e9, sum,
                       threads, thread_count);
}

static int read_queries(struct invocation *invocation, struct diag *diag)
{
    const struct load_options *options = &invocation->options;
    struct query_file_options file = {
        .skip_invalid = options->skip_invalid,
        .keep_lines = options->verbose,
        .warn = warn,
        .context = invocation,
    };
    struct query_file_counts counts;
    query_set_init(&invocation->queries, &options->form);
    int status = query_file_load(options->query_file, &file, &invocation->queries, &counts, diag);
    if (status == 0 && counts.invalid > 0) {
        char message[64];
        snprintf(message, sizeof(message), "skipped %llu invalid, kept %llu valid lines",
                 (unsigned long long)counts.invalid, (unsigned long long)counts.valid);
        warn(invocation, message);
    }
    return status;
}

/* Says so where fewer threads run than were asked for. */
static void warn_of_threads(struct invocation *invocation)
{
    uint32_t threads = load_run_threads(&invocation->options);
    if (threads < invocation->options.threads) {
        char message[96];
        snprintf(message, sizeof(message),
                 "-T %u: only %u thread%s, as each wants a client (-c) and a query (-q)",
                 invocation->options.threads, threads, threads == 1 ? " runs" : "s run");
        warn(invocation, message);
    }
}

/* Where everything goes, before there is anything: what cannot be written is told at once. */
static int open_outputs(struct invocation *invocation, struct diag *diag)
{
    const struct load_options *options = &invocation->options;
    int status = 0;
    if (options->json_path != NULL) {
        status = output_open(&invocation->json, options->json_path, diag);
        invocation->has_json = status == 0;
    }
    bool json_on_stdout = invocation->has_json && invocation->json.is_stdout;
    invocation->out = json_on_stdout ? stderr : stdout;
    if (options->verbose) {
        setvbuf(invocation->out, NULL, _IOLBF, 0);
    }
    return status;
}

static int run(struct invocation *invocation, struct diag *diag)
{
    const struct load_options *options = &invocation->options;
    int status = load_scope_enter(options, invocation->argv, diag);
    if (status == 0) {
        status = open_outputs(invocation, diag);
    }
    if (status == 0) {
        status = read_queries(invocation, diag);
    }
    if (status == 0) {
        status = address_resolve(options->server, options->port, options->family,
                                 &invocation->server, diag);
    }
    if (status != 0) {
        return status;
    }
    const struct load_watcher watcher = {
        .on_start = on_start,
        .on_interval = options->interval_s > 0 ? on_interval : NULL,
        .query_lines = options->verbose ? invocation->out : NULL,
        .context = invocation,
    };
    warn_of_threads(invocation);
    interrupt_defer();
    return load_run(options, &invocation->queries, &invocation->server, &watcher,
                    &invocation->result, diag);
}

/* Prints the result and says how it went. */
static int report(struct invocation *invocation, int status, struct diag *diag)
{
    const struct load_result *result = &invocation->result;
    struct diag json_diag = {0};
    if (status != 0 && status != ERR_TARGET) {
        if (invocation->has_json) {
            output_discard(&invocation->json);
        }
        diag_print(diag, "dnscope");
        return STATUS_FATAL;
    }
    load_text_result(invocation->out, result);
    if (ferror(invocation->out)) {
        fputs("dnscope: cannot write the statistics\n", stderr);
        return STATUS_FATAL;
    }
    if (invocation->has_json && load_json_write(&invocation->json, result, &json_diag) != 0) {
        diag_print(&json_diag, "dnscope");
        return STATUS_FATAL;
    }
    if (status == ERR_TARGET) {
        diag_print(diag, "dnscope");
        return STATUS_TARGET;
    }
    bool nothing_measured = result->phases[LOAD_MEASURED].counts.sent == 0;
    return result->interrupted && nothing_measured ? STATUS_INTERRUPTED : STATUS_OK;
}

int command_load(int argc, char **argv)
{
    struct invocation invocation = {.argc = argc, .argv = argv};
    struct diag diag = {0};
    if (load_options_parse(argc, argv, &invocation.options, &diag) != 0) {
        diag_print(&diag, "dnscope");
        return STATUS_FATAL;
    }
    if (invocation.options.answered) {
        return STATUS_OK;
    }
    int status = interrupt_install(&diag);
    if (status == 0) {
        status = run(&invocation, &diag);
    }
    int exit_status = report(&invocation, status, &diag);
    load_result_free(&invocation.result);
    query_set_free(&invocation.queries);
    return exit_status;
}
