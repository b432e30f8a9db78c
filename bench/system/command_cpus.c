/* dnscope cpus: what this machine's CPUs are, and which of them can be used. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "core/error.h"
#include "system/command_line.h"
#include "system/cpu_listing.h"

static const char help[] =
    "Usage: dnscope cpus [--json]\n"
    "List sockets, cores and the CPUs (hardware threads) of each, which of them are online and\n"
    "which this process may use. Changes nothing.\n"
    "\n"
    "  --json      the same for programs\n"
    "  -h, --help  this text\n"
    "  --version   the version\n"
    "\n"
    "HWLOC_FSROOT=DIR reads the saved /sys and /proc of another machine.\n";

static int print_json(const struct topology *topology)
{
    json_t *listing = cpu_listing_json(topology);
    int failed = listing == NULL || json_dumpf(listing, stdout, JSON_INDENT(1)) != 0;
    putchar('\n');
    json_decref(listing);
    return failed ? STATUS_FATAL : STATUS_OK;
}

static int list(bool as_json, struct diag *diag)
{
    struct topology topology;
    if (topology_load(&topology, diag) != 0) {
        return STATUS_FATAL;
    }
    int status = STATUS_OK;
    if (as_json) {
        status = print_json(&topology);
    } else {
        cpu_listing_print(&topology, stdout);
    }
    topology_free(&topology);
    return status;
}

int command_cpus(int argc, char **argv)
{
    static const struct option options[] = {{"json", no_argument, NULL, 'j'}, COMMAND_LINE_COMMON};
    static const struct command_line line = {help, ":h", options};
    struct diag diag = {0};
    bool as_json = false;
    int status = STATUS_FATAL;
    int option = 0;
    command_line_begin();
    while ((option = command_line_next(&line, argc, argv, &diag)) == 'j') {
        as_json = true;
    }
    if (option == COMMAND_LINE_ANSWERED) {
        return STATUS_OK;
    }
    if (option == COMMAND_LINE_END && optind < argc) {
        diag_fail(&diag, ERR_SYNTAX, NULL, 0, "cpus takes no argument \"%s\"", argv[optind]);
    } else if (option == COMMAND_LINE_END) {
        status = list(as_json, &diag);
    }
    if (diag.code != 0) {
        diag_print(&diag, "dnscope");
    }
    return status;
}
