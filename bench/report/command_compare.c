/* dnscope compare: options and arguments; the work is in compare.c. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "core/error.h"
#include "core/number.h"
#include "report/compare.h"
#include "report/compare_json.h"
#include "system/command_line.h"

#define COLUMN_MAX 10000

struct arguments {
    struct compare_options options;
    struct numbers_format format;
    bool has_format; /* -C or -d was given */
    bool json;
    bool answered; /* help or version */
};

static const char help_text[] =
    "Usage: dnscope compare [OPTION]... DIRECTORY\n"
    "       dnscope compare [OPTION]... FILE...\n"
    "Compare the setups of a sweep, or files of numbers, each with the first.\n"
    "\n"
    "      --baseline SETUP    compare everything with this one, too\n"
    "  -c, --confidence LEVEL  80, 90, 95, 98, 99 or 99.5 per cent (default 95)\n"
    "      --ministat          ministat's own output and nothing else\n"
    "      --json              for programs\n"
    "  -h, --help              this text\n"
    "      --version           the version\n"
    "As in ministat(1):\n"
    "  -A                      no plot\n"
    "  -n                      no plot and no comparison\n"
    "  -s                      bars on separate lines\n"
    "  -w WIDTH                of the plot (default: the terminal's, or 74)\n"
    "  -C COLUMN               of the files, from 1\n"
    "  -d DELIMITERS           between columns (default: space and tab)\n";

/* As ministat: two characters of frame beside the plot. */
static unsigned width_of_terminal(void)
{
    uint64_t columns = 0;
    const char *text = getenv("COLUMNS");
    struct winsize size;
    if (!isatty(STDOUT_FILENO)) {
        return MINISTAT_WIDTH_DEFAULT;
    }
    if (text == NULL || number_parse_u64(text, 1, MINISTAT_WIDTH_MAX, &columns) != 0) {
        columns = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
    }
    return columns >= MINISTAT_WIDTH_MIN + 2 ? (unsigned)columns - 2 : MINISTAT_WIDTH_DEFAULT;
}

static int parse_unsigned(const char *option, const char *text, uint64_t min, uint64_t max,
                          unsigned *value, struct diag *diag)
{
    uint64_t number = 0;
    if (number_parse_u64(text, min, max, &number) != 0) {
        return diag_fail(diag, ERR_RANGE, NULL, 0, "%s %s: a number from %llu to %llu is right",
                         option, text, (unsigned long long)min, (unsigned long long)max);
    }
    *value = (unsigned)number;
    return 0;
}

static int parse_confidence(const char *text, struct arguments *arguments, struct diag *diag)
{
    if (confidence_parse(text, &arguments->options.ministat.confidence) != 0) {
        return diag_fail(diag, ERR_RANGE, NULL, 0,
                         "confidence %s: one of 80, 90, 95, 98, 99, 99.5 is right", text);
    }
    return 0;
}

enum { OPTION_BASELINE = 256, OPTION_MINISTAT, OPTION_JSON };

static int parse_option(int option, struct arguments *arguments, struct diag *diag)
{
    struct compare_options *options = &arguments->options;
    switch (option) {
    case 'A':
        options->ministat.without_plot = true;
        return 0;
    case 'n':
        options->ministat.without_comparisons = true;
        return 0;
    case 's':
        options->ministat.separate_bars = true;
        return 0;
    case 'w':
        return parse_unsigned("-w", optarg, MINISTAT_WIDTH_MIN, MINISTAT_WIDTH_MAX,
                              &options->ministat.width, diag);
    case 'C':
        arguments->has_format = true;
        return parse_unsigned("-C", optarg, 1, COLUMN_MAX, &arguments->format.column, diag);
    case 'd':
        arguments->has_format = true;
        arguments->format.delimiters = optarg;
        return 0;
    case 'c':
        return parse_confidence(optarg, arguments, diag);
    case OPTION_BASELINE:
        options->baseline = optarg;
        return 0;
    case OPTION_MINISTAT:
        options->ministat_only = true;
        return 0;
    case OPTION_JSON:
        arguments->json = true;
        return 0;
    default:
        return ERR_SYNTAX;
    }
}

static int parse_options(int argc, char **argv, struct arguments *arguments, struct diag *diag)
{
    static const struct option long_options[] = {
        {"baseline", required_argument, NULL, OPTION_BASELINE},
        {"confidence", required_argument, NULL, 'c'},
        {"ministat", no_argument, NULL, OPTION_MINISTAT},
        {"json", no_argument, NULL, OPTION_JSON},
        COMMAND_LINE_COMMON,
    };
    static const struct command_line line = {help_text, ":hAnsw:C:d:c:", long_options};
    *arguments = (struct arguments){
        .options = {.ministat = ministat_default_options},
        .format = numbers_default_format,
    };
    arguments->options.ministat.width = width_of_terminal();
    int status = 0;
    int option;
    command_line_begin();
    while (status == 0 &&
           (option = command_line_next(&line, argc, argv, diag)) != COMMAND_LINE_END) {
        if (option == COMMAND_LINE_ANSWERED) {
            arguments->answered = true;
            return 0;
        }
        status = option == COMMAND_LINE_WRONG ? diag->code : parse_option(option, arguments, diag);
    }
    if (status == 0 && arguments->json && arguments->options.ministat_only) {
        status = diag_fail(diag, ERR_SYNTAX, NULL, 0,
                           "--json and --ministat exclude each other: one form at a time");
    }
    return status;
}

static bool is_directory(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static int load(char **paths, size_t count, const struct arguments *arguments,
                struct results *results, struct diag *diag)
{
    if (count == 0) {
        return diag_fail(diag, ERR_SYNTAX, NULL, 0,
                         "what to compare is missing: a results directory, or files of numbers");
    }
    if (count == 1 && is_directory(paths[0])) {
        if (arguments->has_format) {
            return diag_fail(diag, ERR_SYNTAX, paths[0], 0,
                             "is a folder: -C and -d are for files of numbers");
        }
        return results_load(paths[0], results, diag);
    }
    for (size_t i = 0; i < count; i++) {
        if (is_directory(paths[i])) {
            return diag_fail(diag, ERR_SYNTAX, paths[i], 0,
                             "is a folder: one results directory alone, or files of numbers");
        }
    }
    if (count > MINISTAT_SAMPLES_MAX) {
        return diag_fail(diag, ERR_RANGE, NULL, 0, "%zu files are too many; %d are the most", count,
                         MINISTAT_SAMPLES_MAX);
    }
    return results_from_files(paths, count, &arguments->format, results, diag);
}

static int compare(char **paths, size_t count, const struct arguments *arguments, struct diag *diag)
{
    struct results results;
    int status = load(paths, count, arguments, &results, diag);
    if (status != 0) {
        return status;
    }
    status = arguments->json ? compare_print_json(&results, &arguments->options, stdout, diag)
                             : compare_print(&results, &arguments->options, stdout, diag);
    if (status == 0 && (fflush(stdout) != 0 || ferror(stdout))) {
        status = diag_fail_errno(diag, NULL, "cannot write the comparison");
    }
    results_free(&results);
    return status;
}

int command_compare(int argc, char **argv)
{
    struct arguments arguments;
    struct diag diag = {0};
    int status = parse_options(argc, argv, &arguments, &diag);
    if (status == 0 && arguments.answered) {
        return STATUS_OK;
    }
    if (status == 0) {
        status = compare(argv + optind, (size_t)(argc - optind), &arguments, &diag);
    }
    if (status != 0) {
        diag_print(&diag, "dnscope");
        return STATUS_FATAL;
    }
    return STATUS_OK;
}
