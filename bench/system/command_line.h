/* The manner that all commands have in common: help, version, and what is said of wrong options. */
#ifndef BENCH_SYSTEM_COMMAND_LINE_H
#define BENCH_SYSTEM_COMMAND_LINE_H

#include <getopt.h>

#include "core/attributes.h"
#include "core/diag.h"

/* The end of every table of long options. */
#define COMMAND_LINE_COMMON                                                                        \
    {"help", no_argument, NULL, 'h'}, {"version", no_argument, NULL, COMMAND_LINE_VERSION},        \
    {                                                                                              \
        NULL, 0, NULL, 0                                                                           \
    }

enum command_line_result {
    COMMAND_LINE_END = -1, /* of the options, as getopt's own */
    COMMAND_LINE_ANSWERED = -2,
    COMMAND_LINE_WRONG = -3,
    COMMAND_LINE_VERSION = 1, /* within the table only */
};

struct command_line {
    const char *help;             /* whole text, with its last newline */
    const char *letters;          /* of getopt(3): with 'h', and ':' in front, or "+:" */
    const struct option *options; /* ends with COMMAND_LINE_COMMON */
};

/*
 * The next option, as getopt_long(3), with its globals. --help, -h (and -H where the letters have
 * it, as dnsperf) and --version print on standard output: then COMMAND_LINE_ANSWERED, and the
 * command is done. COMMAND_LINE_WRONG with a diag for what is no option or lacks its value.
 */
int command_line_next(const struct command_line *line, int argc, char **argv,
                      struct diag *diag) MUST_CHECK NONNULL_ALL;

/* Before the first command_line_next(). */
void command_line_begin(void);

/* "dnscope VERSION" on standard output. */
void command_line_print_version(void);

#endif
