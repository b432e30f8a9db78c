#include "system/locate.h"

#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "system/script.h"

/* execvp(3) of glibc, when PATH is not set. */
#define DEFAULT_PATH "/bin:/usr/bin"

int locate_self(char **path, struct diag *diag)
{
    char *real = realpath("/proc/self/exe", NULL);
    if (real == NULL) {
        return diag_fail_errno(diag, "/proc/self/exe", "cannot find the running program");
    }
    *path = real;
    return 0;
}

static bool is_executable_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

static int out_of_memory(struct diag *diag)
{
    return diag_fail(diag, ERR_MEMORY, NULL, 0, "no memory for a path");
}

/* A path that stays right in another working directory; symbolic links are kept. NULL: no memory
 * or no working directory. */
static char *absolute(const char *path)
{
    char *folder = *path == '/' ? NULL : getcwd(NULL, 0);
    char *result = NULL;
    if (*path == '/') {
        return strdup(path);
    }
    if (folder != NULL && asprintf(&result, "%s/%s", folder, path) < 0) {
        result = NULL;
    }
    free(folder);
    return result;
}

static int give_absolute(const char *found, char **path, struct diag *diag)
{
    int status = script_check(found, diag);
    if (status != 0) {
        return status;
    }
    *path = absolute(found);
    return *path != NULL ? 0 : out_of_memory(diag);
}

static int check_given(const char *name, char **path, struct diag *diag)
{
    if (access(name, F_OK) != 0) {
        int code = errno == ENOENT || errno == ENOTDIR ? ERR_NOT_FOUND : ERR_SYSTEM;
        diag_fail_errno(diag, name, "cannot find the program");
        return diag->code = code;
    }
    if (!is_executable_file(name)) {
        return diag_fail(diag, ERR_SYSTEM, name, 0, "not an executable file");
    }
    return give_absolute(name, path, diag);
}

/* `folders` is a colon-separated list; an empty entry is the current folder. */
static int search(const char *folders, const char *name, char **path, struct diag *diag)
{
    for (const char *folder = folders;; folder++) {
        int length = (int)strcspn(folder, ":");
        char *candidate = NULL;
        if (asprintf(&candidate, "%.*s%s%s", length, folder, length > 0 ? "/" : "./", name) < 0) {
            return out_of_memory(diag);
        }
        if (is_executable_file(candidate)) {
            int status = give_absolute(candidate, path, diag);
            free(candidate);
            return status;
        }
        free(candidate);
        folder += length;
        if (*folder == '\0') {
            return diag_fail(diag, ERR_NOT_FOUND, NULL, 0,
                             "there is no program \"%s\" in PATH (%s)", name, folders);
        }
    }
}

int locate_program(const char *name, char **path, struct diag *diag)
{
    if (strchr(name, '/') != NULL) {
        return check_given(name, path, diag);
    }
    const char *folders = getenv("PATH");
    return search(folders != NULL ? folders : DEFAULT_PATH, name, path, diag);
}

/* The first of the folders that has `name`, as a path; or NULL. `*failed` is set when memory runs
 * out. */
static char *first_with(const char *const *folders, const char *name, bool *failed)
{
    for (; *folders != NULL; folders++) {
        char *candidate = NULL;
        if (asprintf(&candidate, "%s/%s", *folders, name) < 0) {
            *failed = true;
            return NULL;
        }
        if (access(candidate, R_OK) == 0) {
            return candidate;
        }
        free(candidate);
    }
    return NULL;
}

/* A path that the environment gives is taken as it is, so that a wrong one is not passed over. */
static char *from_environment(const char *variable, bool *failed)
{
    const char *value = getenv(variable);
    if (value == NULL || *value == '\0') {
        return NULL;
    }
    char *copy = absolute(value);
    *failed |= copy == NULL;
    return copy;
}

static char *locate_pscope(bool *failed)
{
    char *given = from_environment("DNSCOPE_LIBPSCOPE", failed);
    struct diag ignored = {0};
    char *self = NULL;
    if (given != NULL || locate_self(&self, &ignored) != 0) {
        return given;
    }
    char *beside = NULL;
    *failed |= asprintf(&beside, "%s/../lib", dirname(self)) < 0;
    free(self);
    if (*failed) {
        return NULL;
    }
    const char *const folders[] = {beside, DNSCOPE_LIBDIR, NULL};
    char *found = first_with(folders, "libpscope.so.1", failed);
    free(beside);
    char *real = found != NULL ? realpath(found, NULL) : NULL;
    free(found);
    return real;
}

static char *locate_jemalloc(bool *failed)
{
    static const char *const folders[] = {"/usr/local/lib",
                                          "/usr/lib/" DNSCOPE_MULTIARCH,
                                          "/lib/" DNSCOPE_MULTIARCH,
                                          "/usr/lib64",
                                          "/usr/lib",
                                          NULL};
    char *given = from_environment("DNSCOPE_LIBJEMALLOC", failed);
    return given != NULL ? given : first_with(folders, "libjemalloc.so.2", failed);
}

int locate_libraries(struct launch_libraries *libraries, struct diag *diag)
{
    bool failed = false;
    libraries->pscope = locate_pscope(&failed);
    libraries->jemalloc = locate_jemalloc(&failed);
    if (failed) {
        launch_libraries_free(libraries);
        return out_of_memory(diag);
    }
    return 0;
}

void launch_libraries_free(struct launch_libraries *libraries)
{
    free(libraries->pscope);
    free(libraries->jemalloc);
    *libraries = (struct launch_libraries){0};
}
