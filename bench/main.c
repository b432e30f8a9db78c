/* dnscope: finds the subcommand and hands over. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "core/attributes.h"
#include "system/command_line.h"

struct command {
    const char *name;
    const char *summary;
    command_fn *run;
};

static const struct command commands[] = {
    {"sweep", "run an experiment: setups x repetitions, recorded", command_sweep},
    {"compare", "compare setups of a sweep, or files of numbers", command_compare},
    {"cpus", "the machine's sockets, cores and CPUs", command_cpus},
    {"exec", "run a program on chosen threads, CPUs and allocator", command_exec},
    {"load", "send DNS queries and count the answers", command_load},
    {"report", "write one HTML page about a sweep", command_report},
    {NULL, NULL, NULL},
};

static void print_help(void)
{
    puts("Usage: dnscope COMMAND [OPTION]... [ARGUMENT]...\n"
         "Measure DNS queries per second against a local server, and what threads and CPUs have\n"
         "to do with it.\n"
         "\n"
         "Commands:");
    for (const struct command *command = commands; command->name != NULL; command++) {
        printf("  %-9s %s\n", command->name, command->summary);
    }
    puts("\n"
         "  --help     this text; `dnscope COMMAND --help` for a command's own\n"
         "  --version  the version\n"
         "\n"
         "Exit status: 0 ok, 1 usage or fatal, 2 the target failed, 3 a threshold asked for was\n"
         "missed, 130 interrupted.");
}

static int run_command(int argc, char **argv)
{
    for (const struct command *command = commands; command->name != NULL; command++) {
        if (strcmp(command->name, argv[0]) == 0) {
            return command->run(argc, argv);
        }
    }
    fprintf(stderr, "dnscope: there is no command \"%s\"; dnscope --help lists them\n", argv[0]);
    return STATUS_FATAL;
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        fputs("dnscope: a command is missing; dnscope --help lists them\n", stderr);
        return STATUS_FATAL;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help();
        return STATUS_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        command_line_print_version();
        return STATUS_OK;
    }
    return run_command(argc - 1, argv + 1);
}

/* What a command printed has to have arrived, or the command has failed. */
static int finish_output(int status)
{
    bool failed = ferror(stdout) != 0;
    errno = 0;
    failed |= fflush(stdout) != 0;
    if (!failed || status != STATUS_OK) {
        return status;
    }
    fprintf(stderr, "dnscope: (standard output): cannot write%s%s\n", errno != 0 ? ": " : "",
            errno != 0 ? strerror(errno) : "");
    return STATUS_FATAL;
}

int main(int argc, char **argv)
{
    return finish_output(run(argc, argv));
}
