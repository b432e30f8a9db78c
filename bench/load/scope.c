#include "load/scope.h"

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
    static const char *const mark[] = {MARK "=1", NULL};
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

int load_scope_enter(const struct load_options *options, char *const *argv, struct diag *diag)
{
    bool is_there = getenv(MARK) != NULL;
    unsetenv(MARK);
    if (options->scope == THREAD_SCOPE_INHERIT || is_there) {
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

void load_scope_describe(struct load_result *result)
{
    const char *preload = getenv("LD_PRELOAD");
    const char *vcpus = getenv("LIBPTHREAD_VIRTUAL_CPU");
    bool is_process_scope = preload != NULL && strstr(preload, "libpscope") != NULL &&
                            getenv("LIBPTHREAD_PROCESS_SCOPE") != NULL &&
                            getenv("LIBPTHREAD_SYSTEM_SCOPE") == NULL;
    uint64_t number = 0;
    bool told =
        is_process_scope && vcpus != NULL && number_parse_u64(vcpus, 0, UINT32_MAX, &number) == 0;
    result->scope = is_process_scope ? "process" : "system";
    result->vcpus = told ? (uint32_t)number : 0;
}
