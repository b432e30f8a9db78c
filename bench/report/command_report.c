/* dnscope report: options and arguments; the work is in report.c. */
#include <getopt.h>
#include <stdio.h>

#include "command.h"
#include "report/report.h"
#include "system/option_error.h"

static const char help_text[] =
    "Usage: dnscope report DIRECTORY\n"
    "Write report.html, runs.csv and plots/ into the results directory of a sweep.\n"
    "\n"
    "      --help  this text\n";

int command_report(int argc, char **argv)
{
    static const struct option long_options[] = {
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    struct diag diag = {0};
    int option;
    optind = 1;
    opterr = 0;
    while ((option = getopt_long(argc, argv, ":h", long_options, NULL)) != -1) {
        if (option == 'h') {
            fputs(help_text, stdout);
            return STATUS_OK;
        }
        (void)option_fail(option, argv, &diag);
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
