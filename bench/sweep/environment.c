#include "sweep/environment.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/error.h"
#include "core/file.h"
#include "system/host_info.h"

/* The text at `path`, a list of member names that ends with NULL; "" when there is none. */
static const char *text_at(const json_t *object, const char *const *path)
{
    for (; *path != NULL; path++) {
        object = json_object_get(object, *path);
    }
    return json_is_string(object) ? json_string_value(object) : "";
}

int environment_agree(const json_t *kept, const json_t *fresh, struct diag *diag)
{
    static const struct {
        const char *what;
        const char *path[4];
    } parts[] = {
        {"dnscope", {"dnscope"}},
        {"the target's version", {"target", "version"}},
        {"the kernel", {"machine", "kernel"}},
        {"the processor", {"machine", "cpu_model"}},
        {"the usable CPUs", {"machine", "topology", "usable"}},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(parts); i++) {
        const char *was = text_at(kept, parts[i].path);
        const char *is = text_at(fresh, parts[i].path);
        if (strcmp(was, is) != 0) {
            return diag_fail(diag, ERR_UNSUPPORTED, NULL, 0,
                             "the runs that are there were made with another environment: %s: "
                             "\"%s\", now \"%s\"; make a new sweep",
                             parts[i].what, was, is);
        }
    }
    return 0;
}

static json_t *describe(const struct site *site, const char *version)
{
    char now[CLOCK_UTC_SIZE];
    clock_format_utc(now);
    return json_pack("{s:s, s:s, s:{s:s, s:s, s:s?}, s:s, s:s?, s:s?, s:o}", "dnscope",
                     DNSCOPE_VERSION, "started_at", now, "target", "kind", site->target->name,
                     "program", site->program, "version", version, "origin", site->origin,
                     "libpscope", site->libraries.pscope, "jemalloc", site->libraries.jemalloc,
                     "machine", host_info_json("", &site->topology));
}

static int compare_with_kept(const char *path, const json_t *fresh, struct diag *diag)
{
    json_error_t reason;
    json_t *kept = json_load_file(path, 0, &reason);
    if (kept == NULL) {
        return diag_fail(diag, ERR_SYNTAX, path, (unsigned)(reason.line > 0 ? reason.line : 0),
                         "%s; the environment of the runs is not known, make a new sweep",
                         reason.text);
    }
    int status = json_is_object(kept)
                     ? environment_agree(kept, fresh, diag)
                     : diag_fail(diag, ERR_SYNTAX, path, 0,
                                 "is no JSON object; the environment of the runs is not known, "
                                 "make a new sweep");
    json_decref(kept);
    return status;
}

static int write_new(const char *path, const json_t *fresh, struct diag *diag)
{
    char *text = json_dumps(fresh, JSON_INDENT(2));
    int status = text != NULL ? file_write_atomic(path, text, strlen(text), diag)
                              : diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
    free(text);
    return status;
}

int environment_settle(const struct site *site, const struct results_dir *results,
                       const char *version, struct diag *diag)
{
    json_t *fresh = describe(site, version);
    char *path = results_dir_path(results, "environment.json");
    int status;
    if (fresh == NULL || path == NULL) {
        status = diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
    } else if (results->run_count > 0 || access(path, F_OK) == 0) {
        status = compare_with_kept(path, fresh, diag);
    } else {
        status = write_new(path, fresh, diag);
    }
    free(path);
    json_decref(fresh);
    return status;
}
