/* scoped: an authoritative DNS server with named's manners and a choice of threading models. */
#include <stdio.h>

#include "options.h"
#include "server.h"

static int run(const struct options *options, struct diag *diag)
{
    switch (options->action) {
    case OPTIONS_HELP:
        options_print_help();
        return 0;
    case OPTIONS_VERSION:
        puts("scoped " DNSCOPE_VERSION);
        return 0;
    case OPTIONS_BUILD:
        puts("scoped " DNSCOPE_VERSION "\ncompiled by " __VERSION__);
        return 0;
    default:
        return server_run(options, diag);
    }
}

int main(int argc, char **argv)
{
    struct diag diag = {0};
    struct options options;
    int status = options_parse(&options, argc, argv, &diag);
    if (status == 0) {
        status = run(&options, &diag);
    }
    if (status != 0) {
        diag_print(&diag, "scoped");
    }
    config_release(&options.zones);
    return status == 0 ? 0 : 1;
}
