#include "report/warnings.h"

#include <stdio.h>
#include <string.h>

#include "stats/ministat.h"

/* A spread beyond this share of the mean is told. */
#define WIDE_SPREAD_PERCENT 10.0

/* Names beyond this many are counted only. */
#define NAMES_MAX 4

#define NAMES_SIZE 1024

struct flag_meaning {
    const char *flag;
    const char *meaning;
};

static const struct flag_meaning flag_meanings[] = {
    {"target-died", "the server died: not counted"},
    {"interrupted", "cut short by a signal: not counted"},
    {"unclean-stop", "the server did not stop as it should"},
    {"generator-bound", "the load tool was the limit, not the server: a difference may be hidden"},
    {"cpu-contended", "other processes took CPU time from the load tool"},
    {"client-drops", "replies were lost in the load tool's own socket buffers"},
    {"shared-core", "load tool and server ran on the same core: each took time from the other"},
    {"lossy", "queries were lost: an overloaded server's rate"},
    {"refused", "the server's port was closed for a time"},
    {"wrong-replies", "replies came that fit no query"},
    {"no-replies", "not one query was answered"},
    {"short", "measured for less than a second: chance has a large part in it"},
    {"steal", "the hypervisor took CPU time away"},
    {"slow-start", "the rate rose while it was measured: the warm-up was too short"},
    {"jemalloc-linked",
     "the server is linked with jemalloc, and what it asks of that by name is not libc's"},
    {"cores-unknown", "the machine does not tell which CPUs share a core"},
    {"sockets-unknown", "the machine does not tell which CPUs share a socket"},
    {"socket-per-cpu",
     "the machine shows a socket for every CPU: placement by socket means little"},
};

static const char *meaning_of(const char *flag)
{
    for (size_t i = 0; i < ARRAY_LENGTH(flag_meanings); i++) {
        if (strcmp(flag_meanings[i].flag, flag) == 0) {
            return flag_meanings[i].meaning;
        }
    }
    return "a flag of the sweep";
}

size_t warnings_runs_with_flag(const struct results *results, const struct setup_results *setup,
                               const char *flag)
{
    size_t count = 0;
    for (size_t i = 0; i < results->run_count; i++) {
        const struct run *run = &results->runs[i];
        count += &results->setups[run->setup] == setup && run_has_flag(run, flag);
    }
    return count;
}

static bool holds_text(const struct text_list *list, const char *text)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i], text) == 0) {
            return true;
        }
    }
    return false;
}

void warnings_flags(const struct results *results, const struct setup_results *setup,
                    struct text_list *names)
{
    for (size_t i = 0; i < results->run_count; i++) {
        const struct run *run = &results->runs[i];
        if (&results->setups[run->setup] != setup) {
            continue;
        }
        size_t index;
        const json_t *entry;
        json_array_foreach(json_object_get(run->record, "flags"), index, entry)
        {
            const char *name = json_string_value(entry);
            if (name != NULL && !holds_text(names, name)) {
                text_list_add(names, name);
            }
        }
    }
}

/* "A, B and 3 more", as far as it fits. */
struct name_list {
    char text[NAMES_SIZE];
    size_t count;
};

static void name_list_add(struct name_list *list, const char *name)
{
    size_t used = strlen(list->text);
    if (list->count < NAMES_MAX) {
        snprintf(list->text + used, sizeof(list->text) - used, "%s%s", used > 0 ? ", " : "", name);
    }
    list->count++;
}

static void name_list_end(struct name_list *list)
{
    size_t used = strlen(list->text);
    if (list->count > NAMES_MAX) {
        snprintf(list->text + used, sizeof(list->text) - used, " and %zu more",
                 list->count - NAMES_MAX);
    }
}

static void warn_of_flag(const struct results *results, const struct setup_results *const *setups,
                         size_t count, const char *flag, struct text_list *warnings)
{
    struct name_list names = {0};
    size_t flagged = 0;
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        size_t runs = warnings_runs_with_flag(results, setups[i], flag);
        flagged += runs;
        total += setups[i]->run_count;
        if (runs > 0) {
            name_list_add(&names, setups[i]->name);
        }
    }
    name_list_end(&names);
    if (flagged == total) {
        text_list_addf(warnings, "%s in all %zu runs (%s)", flag, total, meaning_of(flag));
    } else {
        text_list_addf(warnings, "%s in %zu of %zu runs, of %s (%s)", flag, flagged, total,
                       names.text, meaning_of(flag));
    }
}

static void warn_of_spread(const struct setup_results *const *setups, size_t count,
                           struct text_list *warnings)
{
    struct name_list names = {0};
    for (size_t i = 0; i < count; i++) {
        const struct sample *sample = &setups[i]->sample;
        if (sample->n > 0 && sample->summary.mean > 0 &&
            100 * sample->summary.stddev > WIDE_SPREAD_PERCENT * sample->summary.mean) {
            name_list_add(&names, setups[i]->name);
        }
    }
    name_list_end(&names);
    if (names.count > 0) {
        text_list_addf(warnings, "the standard deviation is over %g%% of the mean: %s",
                       WIDE_SPREAD_PERCENT, names.text);
    }
}

/* Whether all runs of one setup came before all of the other; one or two do not tell. */
static bool is_sequential(const struct setup_results *a, const struct setup_results *b)
{
    if (a->counted == NULL || b->counted == NULL || a->sample.n < MINISTAT_VALUES_MIN ||
        b->sample.n < MINISTAT_VALUES_MIN) {
        return false;
    }
    return a->counted[a->sample.n - 1] < b->counted[0] ||
           b->counted[b->sample.n - 1] < a->counted[0];
}

bool warnings_make_doubtful(const struct results *results, const struct setup_results *base,
                            const struct setup_results *other)
{
    static const char generator_bound[] = "generator-bound";
    return results->records == NULL || is_sequential(base, other) ||
           warnings_runs_with_flag(results, base, generator_bound) > 0 ||
           warnings_runs_with_flag(results, other, generator_bound) > 0;
}

static void warn_of_order(const struct setup_results *const *setups, size_t count,
                          struct text_list *warnings)
{
    struct name_list names = {0};
    for (size_t i = 1; i < count; i++) {
        if (is_sequential(setups[0], setups[i])) {
            name_list_add(&names, setups[i]->name);
        }
    }
    name_list_end(&names);
    if (names.count > 0) {
        text_list_addf(warnings,
                       "the runs of %s were not interleaved with those of %s: a drift of the "
                       "machine looks like a difference",
                       setups[0]->name, names.text);
    }
}

void warnings_gather(const struct results *results, const struct setup_results *const *setups,
                     size_t count, struct text_list *warnings)
{
    struct text_list flags = {0};
    for (size_t i = 0; i < count; i++) {
        warnings_flags(results, setups[i], &flags);
    }
    for (size_t i = 0; i < flags.count; i++) {
        warn_of_flag(results, setups, count, flags.items[i], warnings);
    }
    warnings->failed |= flags.failed;
    text_list_free(&flags);
    warn_of_spread(setups, count, warnings);
    warn_of_order(setups, count, warnings);
}
