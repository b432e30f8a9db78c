#include "load/scope.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/number.h"
#include "system/locate.h"

/* Marks the program that load_scope_enter() has executed; not passed on any further. */
#define MARK "DNSCOPE_LOAD_IN_SCOPE"

/* "dnscope" in front of the command's own arguments. The caller frees the array alone. */
static const char **whole_argv(char *const *argv)
{
    size_t count = 0;
    while (argv[count] != NULL) {
        count++;
    }
    const char **whole = calloc(count + 2, sizeof(*whole));
    if (whole != NULL) {
        whole[0] = "dnscope";
        for (size_t i = 0; i < count; i++) {
            whole[i + 1] = argv[i];
        }
    }
    return whole;
}

static int make_launch(const struct load_options *options, const char *program,
                       const char *const *argv, struct launch *launch, struct diag *diag)
{
    char own_mark[sizeof(MARK) + 24];
    const char *const mark[] = {own_mark, NULL};
    snprintf(own_mark, sizeof(own_mark), MARK "=%ld", (long)getpid());
    struct launch_request request = {
        .program = program,
        .argv = argv,
        .setup = {.scope = options->scope, .vcpus = options->vcpus},
        .inherited = (const char *const *)environ,
        .extra = mark,
    };
    int status = locate_libraries(&request.libraries, diag);
    if (status == 0) {
        status = launch_make(&request, launch, diag);
    }
    launch_libraries_free(&request.libraries);
    return status;
}

/* exec(3) keeps the process ID: a mark with another one was left in the environment by somebody. */
static bool is_executed_anew(void)
{
    const char *mark = getenv(MARK);
    uint64_t pid = 0;
    bool is_ours = mark != NULL && number_parse_u64(mark, 0, INT32_MAX, &pid) == 0 &&
                   pid == (uint64_t)getpid();
    unsetenv(MARK);
    return is_ours;
}

int load_scope_enter(const struct load_options *options, char *const *argv, struct diag *diag)
{
    if (is_executed_anew() || options->scope == THREAD_SCOPE_INHERIT) {
        return 0;
    }
    char *program = NULL;
    struct launch launch = {0};
    const char **whole = whole_argv(argv);
    int status = whole == NULL ? diag_fail(diag, ERR_MEMORY, NULL, 0, "no memory for arguments")
                               : locate_self(&program, diag);
    if (status == 0) {
        status = make_launch(options, program, whole, &launch, diag);
    }
    if (status == 0) {
        execve(launch.program, launch.argv, launch.environment);
        status = diag_fail_errno(diag, launch.program, "cannot execute");
    }
    launch_free(&launch);
    free(program);
    free(whole);
    return status;
}

/* What libpscope says, if it is loaded at all. */
static uint32_t virtual_cpus(void)
{
    unsigned (*ask)(void) = NULL;
    void *symbol = dlsym(RTLD_DEFAULT, "pscope_virtual_cpus");
    /* ISO C knows no way from an object pointer to a function's. */
    memcpy(&ask, &symbol, sizeof(ask));
    return symbol != NULL ? ask() : 0;
}

int load_scope_describe(const struct load_options *options, struct load_result *result,
                        struct diag *diag)
{
    result->vcpus = virtual_cpus();
    result->scope = result->vcpus > 0 ? "process" : "system";
    if (options->scope == THREAD_SCOPE_PROCESS && result->vcpus == 0) {
        return diag_fail(diag, ERR_UNSUPPORTED, NULL, 0,
                         "--scope process: libpscope was not loaded or did not start; "
                         "LIBPTHREAD_DEBUG=1 in the environment tells more");
    }
    if (options->scope == THREAD_SCOPE_SYSTEM && result->vcpus > 0) {
        return diag_fail(diag, ERR_UNSUPPORTED, NULL, 0,
                         "--scope system: libpscope runs this process's threads all the same");
    }
    return 0;
}
