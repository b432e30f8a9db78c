#include "system/command_line.h"

#include <stdio.h>
#include <string.h>

#include "core/error.h"

static int fail(int result, char *const *argv, struct diag *diag)
{
    /* A long option has been stepped over; of a cluster of letters only optopt tells which. */
    const char *word = argv[optind - 1];
    char letter[3] = {'-', (char)optopt, '\0'};
    if (strncmp(word, "--", 2) != 0 && optopt != 0) {
        word = letter;
    }
    if (result == ':') {
        return diag_fail(diag, ERR_SYNTAX, NULL, 0,
                         "%s: a value is missing after %s; dnscope %s --help lists the options",
                         argv[0], word, argv[0]);
    }
    return diag_fail(diag, ERR_SYNTAX, NULL, 0,
                     "%s: wrong option %s; dnscope %s --help lists the options", argv[0], word,
                     argv[0]);
}

void command_line_begin(void)
{
    opterr = 0;
    optind = 0; /* GNU: start anew, whatever parsed before */
}

void command_line_print_version(void)
{
    puts("dnscope " DNSCOPE_VERSION);
}

int command_line_next(const struct command_line *line, int argc, char **argv, struct diag *diag)
{
    int option = getopt_long(argc, argv, line->letters, line->options, NULL);
    switch (option) {
    case 'h':
    case 'H':
        fputs(line->help, stdout);
        return COMMAND_LINE_ANSWERED;
    case COMMAND_LINE_VERSION:
        command_line_print_version();
        return COMMAND_LINE_ANSWERED;
    case '?':
    case ':':
        fail(option, argv, diag);
        return COMMAND_LINE_WRONG;
    default:
        return option;
    }
}
