/*
 * All of libpscope on processors whose context switch is not written: nothing is interposed,
 * threads are system scope, and who asks for another scope is told so once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "pscope/config.h"
#include "pscope/process.h"

INTERPOSE unsigned pscope_virtual_cpus(void)
{
    return 0;
}

static void __attribute__((constructor)) start_library(void)
{
    struct config config;
    char error[200];

    if (config_read(&config, getenv, error, sizeof error)) {
        dprintf(STDERR_FILENO, "libpscope: %s\n", error);
        _exit(1);
    }
    if (config.scope == CONFIG_SCOPE_PROCESS || config.debug)
        dprintf(STDERR_FILENO, "libpscope: threads are system scope: "
                               "this processor is neither x86-64 nor arm64\n");
}
