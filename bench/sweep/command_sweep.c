/* `dnscope sweep`: options, and the order of the large steps. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "core/error.h"
#include "sweep/dry_run.h"
#include "sweep/experiment.h"
#include "sweep/plan.h"
#include "sweep/site.h"
#include "sweep/sweep.h"
#include "system/command_line.h"
#include "system/interrupt.h"

struct options {
    const char *experiment;
    const char *directory; /* -o */
    const char *resume;
    bool dry_run;
    bool answered;     /* help or version */
    const char **sets; /* owned, the texts are argv's */
    size_t set_count;
};

static const char help_text[] =
    "Usage: dnscope sweep EXPERIMENT.yaml [OPTION]...\n"
    "       dnscope sweep --resume DIR [EXPERIMENT.yaml] [OPTION]...\n"
    "Run every setup of an experiment again and again in a random order and record it all.\n"
    "\n"
    "  -o, --output DIR   results directory; must not exist (results/NAME-TIME)\n"
    "      --resume DIR   do the runs that are missing in DIR\n"
    "      --dry-run      print setups, CPUs, processes and order; start nothing\n"
    "      --set KEY=VALUE  change the experiment, as --set target.kind=named or\n"
    "                     --set axes.vcpus='[1, 2, 4]'; may be given more than once\n"
    "  -h, --help         this text\n"
    "      --version      the version\n"
    "\n"
    "The experiment file is described in dnscope-experiment(5), the results in dnscope-sweep(1).\n"
    "Exit status: 0 ok, 1 usage or fatal, 2 the target failed, 130 interrupted.\n";

static int check_operands(int argc, char **argv, struct options *options, struct diag *diag)
{
    if (options->directory != NULL && options->directory[0] == '\0') {
        return diag_fail(diag, ERR_SYNTAX, NULL, 0,
                         "-o \"\": the name of a new directory is right; without -o it is "
                         "results/NAME-TIME");
    }
    if (options->resume != NULL && options->resume[0] == '\0') {
        return diag_fail(diag, ERR_SYNTAX, NULL, 0,
                         "--resume \"\": the results directory of an earlier sweep is right");
    }
    if (optind < argc) {
        options->experiment = argv[optind++];
    }
    if (optind < argc) {
        return diag_fail(diag, ERR_SYNTAX, NULL, 0,
                         "sweep takes one experiment file; \"%s\" is one too many", argv[optind]);
    }
    if (options->experiment == NULL && options->resume == NULL) {
        return diag_fail(diag, ERR_SYNTAX, NULL, 0,
                         "sweep needs an experiment file; dnscope sweep --help tells the usage");
    }
    if (options->resume != NULL && options->directory != NULL) {
        return diag_fail(diag, ERR_SYNTAX, NULL, 0,
                         "-o and --resume exclude each other: the directory is there already");
    }
    if (options->experiment == NULL && options->set_count > 0) {
        return diag_fail(diag, ERR_SYNTAX, NULL, 0,
                         "--set needs the experiment file: what a sweep has begun with stays");
    }
    return 0;
}

static int parse_options(int argc, char **argv, struct options *options, struct diag *diag)
{
    enum { OPTION_RESUME = 256, OPTION_DRY_RUN, OPTION_SET };
    static const struct option names[] = {
        {"output", required_argument, NULL, 'o'},
        {"resume", required_argument, NULL, OPTION_RESUME},
        {"dry-run", no_argument, NULL, OPTION_DRY_RUN},
        {"set", required_argument, NULL, OPTION_SET},
        COMMAND_LINE_COMMON,
    };
    static const struct command_line line = {help_text, ":o:h", names};
    int letter;
    command_line_begin();
    while ((letter = command_line_next(&line, argc, argv, diag)) != COMMAND_LINE_END) {
        switch (letter) {
        case 'o':
            options->directory = optarg;
            break;
        case OPTION_RESUME:
            options->resume = optarg;
            break;
        case OPTION_DRY_RUN:
            options->dry_run = true;
            break;
        case OPTION_SET:
            options->sets[options->set_count++] = optarg;
            break;
        case COMMAND_LINE_ANSWERED:
            options->answered = true;
            return 0;
        default:
            return diag->code;
        }
    }
    return check_operands(argc, argv, options, diag);
}

static int run_site(const struct options *options, const struct site *site, struct diag *diag)
{
    const char *const *environment = (const char *const *)environ;
    const struct sweep_options sweep = {options->directory, options->resume, environment};
    if (!options->dry_run) {
        return sweep_run(site, &sweep, diag);
    }
    int status = dry_run_print(site, environment, stdout, diag);
    if (status == 0 && fflush(stdout) != 0) { /* the plan stands above what speaks against it */
        return diag_fail_errno(diag, "(standard output)", "cannot write");
    }
    return status != 0 ? status : sweep_check(site, &sweep, diag);
}

static int run_experiment(const struct options *options, const struct experiment *experiment,
                          struct diag *diag)
{
    struct plan plan;
    struct site site;
    int status = plan_make(experiment, &plan, diag);
    if (status != 0) {
        return status;
    }
    status = site_survey(experiment, &plan, &site, diag);
    if (status == 0) {
        status = run_site(options, &site, diag);
        site_free(&site);
    }
    plan_free(&plan);
    return status;
}

static int exit_status(int status)
{
    switch (status) {
    case 0:
        return STATUS_OK;
    case ERR_TARGET:
        return STATUS_TARGET;
    case ERR_INTERRUPTED:
        return STATUS_INTERRUPTED;
    default:
        return STATUS_FATAL;
    }
}

/* The experiment that a sweep to be resumed was begun with. */
static int load_resumed(const char *directory, struct experiment *experiment, struct diag *diag)
{
    char *path = NULL;
    if (asprintf(&path, "%s/experiment.yaml", directory) < 0) {
        return diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
    }
    int status = experiment_load(experiment, path, NULL, 0, diag);
    free(path);
    return status;
}

/* An experiment that is named beside --resume must be the one that was begun. */
static int check_same(const struct experiment *begun, const struct options *options,
                      struct diag *diag)
{
    struct experiment now;
    int status =
        experiment_load(&now, options->experiment, options->sets, options->set_count, diag);
    if (status != 0) {
        return status;
    }
    char *begun_text = experiment_format(begun);
    char *now_text = experiment_format(&now);
    experiment_free(&now);
    if (begun_text == NULL || now_text == NULL) {
        status = diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
    } else if (strcmp(begun_text, now_text) != 0) {
        status =
            diag_fail(diag, ERR_SYNTAX, options->experiment, 0,
                      "is not what %s/experiment.yaml began; resume without it, or begin a new "
                      "sweep",
                      options->resume);
    }
    free(begun_text);
    free(now_text);
    return status;
}

static int load_experiment(const struct options *options, struct experiment *experiment,
                           struct diag *diag)
{
    if (options->resume == NULL) {
        return experiment_load(experiment, options->experiment, options->sets, options->set_count,
                               diag);
    }
    int status = load_resumed(options->resume, experiment, diag);
    if (status == 0 && options->experiment != NULL) {
        status = check_same(experiment, options, diag);
        if (status != 0) {
            experiment_free(experiment);
        }
    }
    return status;
}

static int run(const struct options *options, struct diag *diag)
{
    struct experiment experiment;
    int status = load_experiment(options, &experiment, diag);
    if (status == 0) {
        status = run_experiment(options, &experiment, diag);
        experiment_free(&experiment);
    }
    return status;
}

int command_sweep(int argc, char **argv)
{
    struct diag diag = {0};
    struct options options = {.sets = calloc((size_t)argc, sizeof(char *))};
    if (options.sets == NULL) {
        fputs("dnscope: out of memory\n", stderr);
        return STATUS_FATAL;
    }
    int status = interrupt_install(&diag);
    if (status == 0) {
        status = parse_options(argc, argv, &options, &diag);
    }
    if (status == 0 && !options.answered) {
        status = run(&options, &diag);
    }
    if (diag.code != 0) {
        diag_print(&diag, "dnscope");
    }
    free(options.sets);
    return exit_status(status);
}
