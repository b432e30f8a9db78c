#include "sweep/masks.h"

#include <stdbool.h>

#include "core/error.h"

static int fail_moved(const char *who, const char *is, const struct cpu_set *asked,
                      const char *setup, struct diag *diag)
{
    char should_be[CPU_SET_TEXT_SIZE];
    cpu_set_format(asked, should_be, sizeof(should_be));
    return diag_fail(diag, ERR_UNSUPPORTED, NULL, 0,
                     "%s may run on CPUs %s instead of %s in the setup %s: something moves it", who,
                     is, should_be, setup);
}

int masks_check_target(const struct proc_sample *sample, const struct cpu_set *asked,
                       const char *setup, struct diag *diag)
{
    for (size_t i = 0; i < sample->thread_count; i++) {
        const struct proc_thread *thread = &sample->threads[i];
        if (!cpu_set_equal(&thread->allowed, asked)) {
            char who[PROC_NAME_SIZE + 64];
            char is[CPU_SET_TEXT_SIZE];
            snprintf(who, sizeof(who), "the target's thread %d (%s)", (int)thread->tid,
                     thread->name);
            cpu_set_format(&thread->allowed, is, sizeof(is));
            return fail_moved(who, is, asked, setup, diag);
        }
    }
    return 0;
}

int masks_check_load(const json_t *load, const struct cpu_set *asked, const char *setup,
                     struct diag *diag)
{
    const json_t *threads = json_object_get(json_object_get(load, "client"), "threads");
    size_t index;
    const json_t *thread;
    json_array_foreach(threads, index, thread)
    {
        const char *allowed = json_string_value(json_object_get(thread, "allowed"));
        struct cpu_set is = {0};
        struct diag ignored = {0};
        if (allowed == NULL || cpu_set_parse(allowed, &is, &ignored) != 0 ||
            !cpu_set_equal(&is, asked)) {
            return fail_moved("a thread of the load tool", allowed != NULL ? allowed : "unknown",
                              asked, setup, diag);
        }
    }
    return 0;
}
