#include "system/proc_stat.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/diag.h"
#include "core/error.h"

/* proc(5): "(comm)" may hold spaces and parentheses, so the last ')' ends it. */
int proc_stat_parse(const char *text, struct proc_stat *stat)
{
    const char *open = strchr(text, '(');
    const char *close = strrchr(text, ')');
    if (open == NULL || close == NULL || close < open) {
        return ERR_SYNTAX;
    }
    struct proc_stat result = {0};
    snprintf(result.name, sizeof(result.name), "%.*s", (int)(close - open - 1), open + 1);
    int id = 0;
    int parent = 0;
    /* Fields 3, 4, 14, 15, 22 and 39. */
    int count = sscanf(close + 1,
                       " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64
                       " %*d %*d %*d %*d %*d %*d %" SCNu64
                       " %*u %*d %*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %*d %d",
                       &result.state, &parent, &result.user_ticks, &result.system_ticks,
                       &result.start_ticks, &result.last_cpu);
    if (count != 6 || sscanf(text, "%d", &id) != 1) {
        return ERR_SYNTAX;
    }
    result.id = id;
    result.parent = parent;
    *stat = result;
    return 0;
}

/* The text behind "NAME:" and white space at the beginning of a line, or NULL. */
static const char *find_field(const char *text, const char *name)
{
    size_t length = strlen(name);
    while (text != NULL) {
        if (strncmp(text, name, length) == 0 && text[length] == ':') {
            text += length + 1;
            return text + strspn(text, " \t");
        }
        text = strchr(text, '\n');
        text = text != NULL ? text + 1 : NULL;
    }
    return NULL;
}

static int read_count(const char *text, const char *name, uint64_t *value)
{
    const char *field = find_field(text, name);
    return field != NULL && sscanf(field, "%" SCNu64, value) == 1 ? 0 : ERR_SYNTAX;
}

static int read_allowed(const char *text, struct cpu_set *allowed)
{
    const char *field = find_field(text, "Cpus_allowed_list");
    if (field == NULL) {
        return ERR_SYNTAX;
    }
    char *list = strndup(field, strcspn(field, " \t\n"));
    if (list == NULL) {
        return ERR_MEMORY;
    }
    struct diag ignored = {0};
    int status = cpu_set_parse(list, allowed, &ignored);
    free(list);
    return status;
}

int proc_status_parse(const char *text, struct proc_status *status)
{
    struct proc_status result = {0};
    if (read_count(text, "voluntary_ctxt_switches", &result.voluntary_switches) != 0 ||
        read_count(text, "nonvoluntary_ctxt_switches", &result.involuntary_switches) != 0 ||
        read_allowed(text, &result.allowed) != 0) {
        return ERR_SYNTAX;
    }
    if (read_count(text, "VmRSS", &result.rss_kib) != 0) {
        result.rss_kib = 0;
    }
    *status = result;
    return 0;
}

bool proc_maps_have(const char *text, const char *library)
{
    size_t length = strlen(library);
    for (const char *at = strstr(text, library); at != NULL; at = strstr(at + length, library)) {
        size_t folder = strcspn(at, "/\n");
        if (at > text && at[-1] == '/' && at[folder] != '/') {
            return true;
        }
    }
    return false;
}
