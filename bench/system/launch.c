#include "system/launch.h"

#include <gnu/lib-names.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "system/environment.h"
#include "system/text_list.h"

static const char *const scope_names[] = {"inherit", "system", "process"};
static const char *const allocator_names[] = {"inherit", "libc", "jemalloc"};

int thread_scope_parse(const char *name, enum thread_scope *scope)
{
    for (int i = THREAD_SCOPE_SYSTEM; i <= THREAD_SCOPE_PROCESS; i++) {
        if (strcmp(name, scope_names[i]) == 0) {
            *scope = (enum thread_scope)i;
            return 0;
        }
    }
    return ERR_NOT_FOUND;
}

int allocator_parse(const char *name, enum allocator *allocator)
{
    for (int i = ALLOCATOR_LIBC; i <= ALLOCATOR_JEMALLOC; i++) {
        if (strcmp(name, allocator_names[i]) == 0) {
            *allocator = (enum allocator)i;
            return 0;
        }
    }
    return ERR_NOT_FOUND;
}

const char *thread_scope_name(enum thread_scope scope)
{
    return scope_names[scope];
}

const char *allocator_name(enum allocator allocator)
{
    return allocator_names[allocator];
}

static bool begins(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Whether the setup decides on this entry of an inherited LD_PRELOAD, so that it has to go. */
static bool is_decided(const struct launch_setup *setup, const char *entry)
{
    const char *slash = strrchr(entry, '/');
    const char *base = slash != NULL ? slash + 1 : entry;
    return (setup->scope != THREAD_SCOPE_INHERIT && begins(base, "libpscope.so")) ||
           (setup->allocator != ALLOCATOR_INHERIT &&
            (begins(base, "libjemalloc.so") || strcmp(base, LIBC_SO) == 0));
}

/* The loader splits LD_PRELOAD at spaces and colons, without any quoting. */
static int check_library(const char *path, const char *what, const char *remedy, struct diag *diag)
{
    if (path == NULL) {
        return diag_fail(diag, ERR_NOT_FOUND, NULL, 0, "%s was not found; %s", what, remedy);
    }
    if (strpbrk(path, " :") != NULL) {
        return diag_fail(diag, ERR_UNSUPPORTED, path, 0,
                         "a path with a space or a colon cannot be preloaded; move %s", what);
    }
    return 0;
}

int launch_check_libraries(const struct launch_setup *setup,
                           const struct launch_libraries *libraries, struct diag *diag)
{
    int status = 0;
    if (setup->scope == THREAD_SCOPE_PROCESS && setup->vcpus > LAUNCH_VCPUS_MAX) {
        return diag_fail(diag, ERR_RANGE, NULL, 0,
                         "%u virtual CPUs; libpscope has at most %d for process scope",
                         setup->vcpus, LAUNCH_VCPUS_MAX);
    }
    if (setup->scope == THREAD_SCOPE_PROCESS) {
        status = check_library(libraries->pscope, "libpscope.so",
                               "set DNSCOPE_LIBPSCOPE to its path", diag);
    }
    if (status == 0 && setup->allocator == ALLOCATOR_JEMALLOC) {
        status = check_library(libraries->jemalloc, "libjemalloc.so.2",
                               "install jemalloc (Debian: libjemalloc2) or set DNSCOPE_LIBJEMALLOC "
                               "to its path",
                               diag);
    }
    return status;
}

static void add_libraries(const struct launch_request *request, struct text_list *entries)
{
    if (request->setup.scope == THREAD_SCOPE_PROCESS) {
        text_list_add(entries, request->libraries.pscope);
    }
    if (request->setup.allocator == ALLOCATOR_JEMALLOC) {
        text_list_add(entries, request->libraries.jemalloc);
    }
    if (request->setup.allocator == ALLOCATOR_LIBC) {
        /* Before a library with another malloc that the program is linked with, as Debian's named
         * is with jemalloc. */
        text_list_add(entries, LIBC_SO);
    }
}

static void add_inherited(const struct launch_setup *setup, const char *value,
                          struct text_list *entries)
{
    char *copy = strdup(value != NULL ? value : "");
    if (copy == NULL) {
        entries->failed = true;
        return;
    }
    char *rest = NULL;
    for (char *entry = strtok_r(copy, " :", &rest); entry != NULL;
         entry = strtok_r(NULL, " :", &rest)) {
        if (!is_decided(setup, entry)) {
            text_list_add(entries, entry);
        }
    }
    free(copy);
}

/* "A:B:C"; NULL when memory is short. */
static char *join(const struct text_list *entries)
{
    char *value = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&value, &size);
    if (stream == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < entries->count; i++) {
        fprintf(stream, "%s%s", i > 0 ? ":" : "", entries->items[i]);
    }
    return fclose(stream) == 0 ? value : NULL;
}

/* Ours first: libpscope has to stand before every other library that defines pthread_create. */
static void set_preload(const struct launch_request *request, struct text_list *environment)
{
    if (request->setup.scope == THREAD_SCOPE_INHERIT &&
        request->setup.allocator == ALLOCATOR_INHERIT) {
        return;
    }
    struct text_list entries = {0};
    add_libraries(request, &entries);
    add_inherited(&request->setup, environment_get(request->inherited, "LD_PRELOAD"), &entries);
    char *value = join(&entries);
    environment_unset(environment, "LD_PRELOAD");
    if (entries.count > 0 && value != NULL) {
        environment_set(environment, "LD_PRELOAD", value);
    }
    environment->failed |= entries.failed || value == NULL;
    free(value);
    text_list_free(&entries);
}

static void set_scope(const struct launch_request *request, struct text_list *environment)
{
    if (request->setup.scope == THREAD_SCOPE_INHERIT) {
        return;
    }
    environment_unset(environment, "LIBPTHREAD_PROCESS_SCOPE");
    environment_unset(environment, "LIBPTHREAD_SYSTEM_SCOPE");
    environment_unset(environment, "LIBPTHREAD_VIRTUAL_CPU");
    if (request->setup.scope == THREAD_SCOPE_SYSTEM) {
        environment_set(environment, "LIBPTHREAD_SYSTEM_SCOPE", "1");
        return;
    }
    environment_set(environment, "LIBPTHREAD_PROCESS_SCOPE", "1");
    if (request->setup.vcpus > 0) {
        char vcpus[16];
        snprintf(vcpus, sizeof(vcpus), "%u", request->setup.vcpus);
        environment_set(environment, "LIBPTHREAD_VIRTUAL_CPU", vcpus);
    }
    if (request->stats_path != NULL) {
        environment_set(environment, "LIBPTHREAD_STATS", request->stats_path);
    }
}

static bool copy_text(const char *text, char **copy)
{
    *copy = text != NULL ? strdup(text) : NULL;
    return text == NULL || *copy != NULL;
}

static int describe(const struct launch_request *request, struct launch *launch)
{
    struct text_list argv = {0};
    struct text_list environment = {0};
    for (const char *const *word = request->argv; *word != NULL; word++) {
        text_list_add(&argv, *word);
    }
    environment_copy(&environment, request->inherited);
    set_preload(request, &environment);
    set_scope(request, &environment);
    environment_apply(&environment, request->extra);
    *launch = (struct launch){
        .argv = argv.items, .environment = environment.items, .cpus = request->setup.cpus};
    bool copied = copy_text(request->program, &launch->program) &&
                  copy_text(request->working_directory, &launch->working_directory) &&
                  copy_text(request->log_path, &launch->log_path);
    return copied && !argv.failed && !environment.failed ? 0 : ERR_MEMORY;
}

int launch_make(const struct launch_request *request, struct launch *launch, struct diag *diag)
{
    *launch = (struct launch){0};
    int status = launch_check_libraries(&request->setup, &request->libraries, diag);
    if (status != 0) {
        return status;
    }
    status = describe(request, launch);
    if (status != 0) {
        diag_fail(diag, status, NULL, 0, "no memory for a process description");
        launch_free(launch);
    }
    return status;
}

void launch_free(struct launch *launch)
{
    text_array_free(launch->argv);
    text_array_free(launch->environment);
    free(launch->program);
    free(launch->working_directory);
    free(launch->log_path);
    *launch = (struct launch){0};
}
