#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/number.h"
#include "dns/protocol.h"

#define WORKERS_MAX 1024

enum { OPTION_HELP = 256, OPTION_MODEL };

static const struct option long_options[] = {
    {"help", no_argument, NULL, OPTION_HELP},
    {"model", required_argument, NULL, OPTION_MODEL},
    {"version", no_argument, NULL, 'v'},
    {NULL, 0, NULL, 0},
};

void options_print_help(void)
{
    puts("Usage: scoped [-c FILE | -z ORIGIN=FILE...] [OPTION]...\n"
         "Serve DNS zones by UDP, authoritatively.\n"
         "\n"
         "  -c FILE         configuration in named.conf's syntax\n"
         "  -z ORIGIN=FILE  serve FILE as the zone ORIGIN; may be repeated\n"
         "  -p PORT         port where listen-on names none (default 53)\n"
         "  -n N            worker threads (default: one for each usable CPU)\n"
         "  --model MODEL   threading model (default reuseport):");
    for (const struct model *const *model = models; *model != NULL; model++) {
        printf("                    %-10s %s\n", (*model)->name, (*model)->summary);
    }
    puts("  -4, -6          IPv4 or IPv6 addresses only\n"
         "  -g              stay in the foreground and log on standard error\n"
         "  -f              stay in the foreground\n"
         "  -u USER         become USER once the sockets are open\n"
         "  -t DIR          change the root directory to DIR first\n"
         "  -v, -V          version; version and build\n"
         "  --help          this text\n"
         "\n"
         "SIGTERM or SIGINT stops, SIGHUP reads configuration and zones again.\n"
         "Exit status: 0 ok, 1 wrong usage, wrong input, or refused by the system.");
}

static int parse_zone(struct options *options, const char *text, struct diag *diag)
{
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text || equals[1] == '\0') {
        return diag_fail(diag, ERR_SYNTAX, NULL, 0,
                         "option -z: \"%s\" is not ORIGIN=FILE, as in -z example.com=db.example",
                         text);
    }
    char *origin = strndup(text, (size_t)(equals - text));
    if (origin == NULL) {
        return diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
    }
    int status = config_check_origin("option -z: ", origin, NULL, 0, diag);
    if (status == 0) {
        status = config_add_zone(&options->zones, origin, equals + 1, 0, diag);
    }
    free(origin);
    return status;
}

static int parse_number(const char *letter, const char *text, uint64_t max, uint64_t *value,
                        struct diag *diag)
{
    int status = number_parse_u64(text, 1, max, value);
    if (status != 0) {
        return diag_fail(diag, status, NULL, 0,
                         "option %s: \"%s\" is not a whole number from 1 to %llu", letter, text,
                         (unsigned long long)max);
    }
    return 0;
}

static int parse_model(struct options *options, const char *name, struct diag *diag)
{
    options->model = model_find(name);
    if (options->model == NULL) {
        return diag_fail(diag, ERR_SYNTAX, NULL, 0,
                         "option --model: there is no \"%s\"; there are reuseport, shared and "
                         "dispatch",
                         name);
    }
    return 0;
}

static int parse_valued(struct options *options, int letter, const char *value, struct diag *diag)
{
    uint64_t number = 0;
    int status = 0;
    switch (letter) {
    case 'c':
        options->config_path = value;
        break;
    case 'n':
        status = parse_number("-n", value, WORKERS_MAX, &number, diag);
        options->worker_count = (unsigned)number;
        break;
    case 'p':
        status = parse_number("-p", value, UINT16_MAX, &number, diag);
        options->port = (uint16_t)number;
        break;
    case 't':
        options->chroot_path = value;
        break;
    case 'u':
        options->user = value;
        break;
    case 'z':
        status = parse_zone(options, value, diag);
        break;
    default:
        status = parse_model(options, value, diag);
    }
    return status;
}

static void set_flag(struct options *options, int letter)
{
    switch (letter) {
    case '4':
        options->ipv4_only = true;
        break;
    case '6':
        options->ipv6_only = true;
        break;
    case 'g':
        options->log_stderr = true;
        options->foreground = true;
        break;
    case 'f':
        options->foreground = true;
        break;
    case 'v':
        options->action = OPTIONS_VERSION;
        break;
    case 'V':
        options->action = OPTIONS_BUILD;
        break;
    default:
        options->action = OPTIONS_HELP;
    }
}

static int fail_unknown(char **argv, int letter, struct diag *diag)
{
    if (letter == ':') {
        return diag_fail(diag, ERR_SYNTAX, NULL, 0, "option %s needs a value; see --help",
                         argv[optind - 1]);
    }
    if (optopt != 0 && optopt < OPTION_HELP) {
        return diag_fail(diag, ERR_SYNTAX, NULL, 0, "there is no option -%c; see --help", optopt);
    }
    return diag_fail(diag, ERR_SYNTAX, NULL, 0, "there is no option %s; see --help",
                     argv[optind - 1]);
}

static int check_together(const struct options *options, int argc, char **argv, struct diag *diag)
{
    if (optind < argc) {
        return diag_fail(diag, ERR_SYNTAX, NULL, 0, "unexpected argument \"%s\"; see --help",
                         argv[optind]);
    }
    if (options->ipv4_only && options->ipv6_only) {
        return diag_fail(diag, ERR_SYNTAX, NULL, 0, "options -4 and -6 exclude each other");
    }
    if (options->action == OPTIONS_RUN && options->config_path == NULL &&
        options->zones.zone_count == 0) {
        return diag_fail(diag, ERR_SYNTAX, NULL, 0,
                         "nothing to serve; give -c FILE or -z ORIGIN=FILE");
    }
    return 0;
}

int options_parse(struct options *options, int argc, char **argv, struct diag *diag)
{
    *options = (struct options){.model = models[0]};
    opterr = 0;
    int status = 0;
    int letter;
    while (status == 0 &&
           (letter = getopt_long(argc, argv, ":46c:fgn:p:t:u:vVz:", long_options, NULL)) != -1) {
        if (letter == '?' || letter == ':') {
            status = fail_unknown(argv, letter, diag);
        } else if (optarg != NULL) {
            status = parse_valued(options, letter, optarg, diag);
        } else {
            set_flag(options, letter);
        }
    }
    return status == 0 ? check_together(options, argc, argv, diag) : status;
}
