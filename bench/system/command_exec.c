/* dnscope exec: any program in the setup of a sweep's server, in place of dnscope itself. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "core/error.h"
#include "core/number.h"
#include "cpu/affinity.h"
#include "cpu/placement.h"
#include "system/command_line.h"
#include "system/launch.h"
#include "system/locate.h"
#include "system/preload.h"

/* As env(1), nohup(1) and the shells have it. */
#define STATUS_CANNOT_EXECUTE 126
#define STATUS_NO_PROGRAM     127

static const char help[] =
    "Usage: dnscope exec [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
    "Run a program with the threads, CPUs and allocator of a setup, in place of dnscope: signals\n"
    "and the exit status are the program's own. What no option names stays as it is.\n"
    "\n"
    "  --scope process|system  threads of the process (libpscope is preloaded), or the kernel's\n"
    "  --vcpus N               how many threads of process scope may run at once; also for how\n"
    "                          many --cpus POLICY makes room\n"
    "  --cpus LIST|POLICY      run on these CPUs (0-3,8), or where a sweep puts its server: any,\n"
    "                          same-socket, split-sockets\n"
    "  --smt on|mask           mask: one CPU of each core\n"
    "  --malloc jemalloc|libc  the allocator, whatever the program is linked with\n"
    "  -n, --dry-run           print the command line for the shell instead\n"
    "  -h, --help              this text\n"
    "  --version               the version\n"
    "\n"
    "Exit status: 127 the program was not found, 126 it cannot be executed, 1 wrong usage or a\n"
    "setup that this machine or program does not allow; else the program's.\n";

struct exec_options {
    struct launch_setup setup;
    struct placement_request placement;
    bool has_placement; /* an option about CPUs was given */
    bool pins;          /* and the mask differs from the inherited one */
    bool dry_run;
};

enum option_id { OPTION_SCOPE = 256, OPTION_VCPUS, OPTION_CPUS, OPTION_SMT, OPTION_MALLOC };

static const struct option long_options[] = {
    {"scope", required_argument, NULL, OPTION_SCOPE},
    {"vcpus", required_argument, NULL, OPTION_VCPUS},
    {"cpus", required_argument, NULL, OPTION_CPUS},
    {"smt", required_argument, NULL, OPTION_SMT},
    {"malloc", required_argument, NULL, OPTION_MALLOC},
    {"dry-run", no_argument, NULL, 'n'},
    COMMAND_LINE_COMMON,
};

static int bad_word(const char *option, const char *word, const char *right, struct diag *diag)
{
    return diag_fail(diag, ERR_SYNTAX, NULL, 0, "%s \"%s\": write %s", option, word, right);
}

static int parse_cpus(const char *text, struct exec_options *options, struct diag *diag)
{
    options->has_placement = true;
    options->pins = true;
    if (text[strspn(text, "0123456789,-")] == '\0') {
        options->placement.policy = PLACEMENT_EXPLICIT;
        int status = cpu_set_parse(text, &options->placement.server, diag);
        options->placement.client = options->placement.server;
        return status;
    }
    if (placement_policy_parse(text, &options->placement.policy) != 0) {
        return bad_word("--cpus", text,
                        "a CPU list like 0-3,8, or any, same-socket or split-sockets", diag);
    }
    return 0;
}

static int parse_vcpus(const char *text, struct exec_options *options, struct diag *diag)
{
    uint64_t vcpus = 0;
    if (number_parse_u64(text, 1, LAUNCH_VCPUS_MAX, &vcpus) != 0) {
        return diag_fail(diag, ERR_SYNTAX, NULL, 0, "--vcpus \"%s\": write a number from 1 to %d",
                         text, LAUNCH_VCPUS_MAX);
    }
    options->setup.vcpus = (unsigned)vcpus;
    options->placement.vcpus = (unsigned)vcpus;
    options->has_placement = true;
    return 0;
}

static int parse_option(int option, const char *text, struct exec_options *options,
                        struct diag *diag)
{
    switch (option) {
    case OPTION_SCOPE:
        return thread_scope_parse(text, &options->setup.scope) == 0
                   ? 0
                   : bad_word("--scope", text, "process or system", diag);
    case OPTION_VCPUS:
        return parse_vcpus(text, options, diag);
    case OPTION_CPUS:
        return parse_cpus(text, options, diag);
    case OPTION_SMT:
        options->has_placement = true;
        options->pins = true;
        return smt_policy_parse(text, &options->placement.smt) == 0
                   ? 0
                   : bad_word("--smt", text, "on or mask", diag);
    case OPTION_MALLOC:
        return allocator_parse(text, &options->setup.allocator) == 0
                   ? 0
                   : bad_word("--malloc", text, "jemalloc or libc", diag);
    case 'n':
        options->dry_run = true;
        return 0;
    default:
        return ERR_SYNTAX;
    }
}

/* Computes the mask; without an option about CPUs the topology is not even looked at. */
static int choose_cpus(struct exec_options *options, struct diag *diag)
{
    if (!options->has_placement) {
        return 0;
    }
    struct topology topology;
    struct placement placement;
    int status = topology_load(&topology, diag);
    if (status != 0) {
        return status;
    }
    status = placement_compute(&topology, &options->placement, &placement, diag);
    topology_free(&topology);
    if (status == 0 && options->pins) {
        options->setup.cpus = placement.server;
    }
    return status;
}

/* A number of virtual CPUs that nothing would take is a mistake, and not passed over. */
static int check_together(const struct exec_options *options, struct diag *diag)
{
    bool places = options->pins && options->placement.policy != PLACEMENT_EXPLICIT;
    if (options->setup.vcpus == 0 || options->setup.scope == THREAD_SCOPE_PROCESS || places) {
        return 0;
    }
    return diag_fail(diag, ERR_SYNTAX, NULL, 0,
                     "--vcpus %u does nothing here: it needs --scope process, or --cpus POLICY, "
                     "which makes room for so many",
                     options->setup.vcpus);
}

static int describe(const struct exec_options *options, const char *program, char **argv,
                    struct launch *launch, struct diag *diag)
{
    struct launch_request request = {.program = program,
                                     .argv = (const char *const *)argv,
                                     .setup = options->setup,
                                     .inherited = (const char *const *)environ};
    int status = locate_libraries(&request.libraries, diag);
    if (status == 0) {
        status = preload_check_setup(&options->setup, &request.libraries, program, diag);
    }
    if (status == 0) {
        status = launch_make(&request, launch, diag);
    }
    launch_libraries_free(&request.libraries);
    return status;
}

static int print_line(const struct launch *launch)
{
    char *line = launch_format(launch, (const char *const *)environ);
    if (line == NULL) {
        return STATUS_FATAL;
    }
    puts(line);
    free(line);
    return STATUS_OK;
}

/* Returns only when it fails. */
static int become(const struct launch *launch, struct diag *diag)
{
    static char *const nothing[] = {NULL};
    if (!cpu_set_is_empty(&launch->cpus) && affinity_set(0, &launch->cpus, diag) != 0) {
        return STATUS_FATAL;
    }
    execve(launch->program, launch->argv,
           launch->environment != NULL ? launch->environment : nothing);
    int status = errno == ENOENT ? STATUS_NO_PROGRAM : STATUS_CANNOT_EXECUTE;
    diag_fail_errno(diag, launch->program, "cannot execute");
    return status;
}

static int run(struct exec_options *options, char **argv, struct diag *diag)
{
    char *program = NULL;
    struct launch launch = {0};
    if (check_together(options, diag) != 0 || choose_cpus(options, diag) != 0) {
        return STATUS_FATAL;
    }
    int status = locate_program(argv[0], &program, diag);
    if (status != 0) {
        return status == ERR_NOT_FOUND ? STATUS_NO_PROGRAM : STATUS_CANNOT_EXECUTE;
    }
    int result = STATUS_FATAL;
    if (describe(options, program, argv, &launch, diag) == 0) {
        result = options->dry_run ? print_line(&launch) : become(&launch, diag);
    }
    launch_free(&launch);
    free(program);
    return result;
}

int command_exec(int argc, char **argv)
{
    static const struct command_line line = {help, "+:hn", long_options};
    struct diag diag = {0};
    struct exec_options options = {.placement = {.vcpus = 1, .client_threads = 1}};
    int option = 0;
    command_line_begin();
    while ((option = command_line_next(&line, argc, argv, &diag)) != COMMAND_LINE_END) {
        if (option == COMMAND_LINE_ANSWERED) {
            return STATUS_OK;
        }
        int status = option == COMMAND_LINE_WRONG ? diag.code
                                                  : parse_option(option, optarg, &options, &diag);
        if (status != 0) {
            diag_print(&diag, "dnscope");
            return STATUS_FATAL;
        }
    }
    if (optind == argc) {
        diag_fail(&diag, ERR_SYNTAX, NULL, 0, "a program is missing; dnscope exec --help tells");
        diag_print(&diag, "dnscope");
        return STATUS_FATAL;
    }
    int status = run(&options, argv + optind, &diag);
    if (diag.code != 0) {
        diag_print(&diag, "dnscope");
    }
    return status;
}
