/* The command line, with named's letters. */
#ifndef RESOLVER_OPTIONS_H
#define RESOLVER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "config.h"
#include "core/attributes.h"
#include "core/diag.h"
#include "model.h"

enum options_action { OPTIONS_RUN, OPTIONS_HELP, OPTIONS_VERSION, OPTIONS_BUILD };

/* Strings are argv's; `zones` holds copies, to be released with config_release(). */
struct options {
    enum options_action action;
    const char *config_path; /* NULL when -c is not there */
    unsigned worker_count;   /* 0: one for each usable CPU */
    uint16_t port;           /* 0: the configuration's, else 53 */
    bool foreground;         /* -f or -g */
    bool log_stderr;         /* -g */
    bool ipv4_only;
    bool ipv6_only;
    const char *user;
    const char *chroot_path;
    const struct model *model;
    struct config zones; /* of -z */
};

/* 0; ERR_SYNTAX or ERR_RANGE with a diag that says what would be right. */
int options_parse(struct options *options, int argc, char **argv, struct diag *diag) MUST_CHECK;

void options_print_help(void);

#endif
