/* The options of `dnscope load`: dnsperf's letters with dnsperf's meanings and defaults. */
#ifndef LOAD_OPTIONS_H
#define LOAD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "dns/query_set.h"
#include "system/launch.h"

/* Enough for any EDNS options a query could want; -E adds to it. */
#define LOAD_EDNS_OPTIONS_MAX_BYTES 1024

struct load_options {
    const char *server;        /* -s: address or host name */
    uint16_t port;             /* -p */
    int family;                /* -f: AF_UNSPEC, AF_INET, AF_INET6 */
    const char *local_address; /* -a; NULL: any */
    uint16_t local_port;       /* -x: first of as many as there are clients; 0: any */
    const char *query_file;    /* -d; "-" is standard input */
    bool skip_invalid;         /* --skip-invalid */

    uint32_t clients;     /* -c: sockets over all threads */
    uint32_t threads;     /* -T */
    uint32_t outstanding; /* -q: queries in flight over all sockets */
    double time_limit_s;  /* -l; 0: none */
    uint64_t runs;        /* -n: times through the file; 0: no limit */
    double timeout_s;     /* -t */
    double warmup_s;      /* --warmup */
    uint32_t buffer_kib;  /* -b; 0: the system's default */

    enum thread_scope scope; /* --scope: of the tool's own threads */
    uint32_t vcpus;          /* --vcpus: virtual CPUs under process scope; 0: not told */

    struct query_form form; /* -e -D -E; form.options points into edns_options */
    uint8_t edns_options[LOAD_EDNS_OPTIONS_MAX_BYTES];

    double interval_s;       /* -S; 0: no live lines */
    bool verbose;            /* -v */
    bool warnings_on_stdout; /* -W */
    const char *json_path;   /* --json; NULL: none, "-": standard output */
    bool answered;           /* help or version were asked for and printed */
};

/*
 * Reads a command line (argv[0] is the command's name) into `options`, which must stay where it is
 * and points into argv. 0 or a code of enum error with a diag.
 */
int load_options_parse(int argc, char **argv, struct load_options *options,
                       struct diag *diag) MUST_CHECK NONNULL_ALL;

#endif
