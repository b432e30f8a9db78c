/* dnscope report: options and arguments; the work is in report.c. */
#include <stdio.h>

#include "command.h"
#include "report/report.h"
#include "system/command_line.h"

static const char help_text[] =
    "Usage: dnscope report DIRECTORY\n"
    "Write report.html, runs.csv and plots/ into the results directory of a sweep.\n"
    "\n"
    "  -h, --help     this text\n"
    "      --version  the version\n";

int command_report(int argc, char **argv)
{
    static const struct option long_options[] = {COMMAND_LINE_COMMON};
    static const struct command_line line = {help_text, ":h", long_options};
    struct diag diag = {0};
    command_line_begin();
    int option = command_line_next(&line, argc, argv, &diag);
    if (option == COMMAND_LINE_ANSWERED) {
        return STATUS_OK;
    }
    if (option == COMMAND_LINE_WRONG) {
        diag_print(&diag, "dnscope");
        return STATUS_FATAL;
    }
    if (argc - optind != 1) {
        fputs("dnscope: report: one results directory is needed; dnscope report --help\n", stderr);
        return STATUS_FATAL;
    }
    const char *directory = argv[optind];
    if (report_make(directory, stderr, &diag) != 0) {
        diag_print(&diag, "dnscope");
        return STATUS_FATAL;
    }
    printf("%s/report.html\n", directory);
    return STATUS_OK;
}
