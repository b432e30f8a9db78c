#include "report/pairing.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "stats/ministat.h"

/* A spread beyond this share of the mean is told. */
#define WIDE_SPREAD_PERCENT 10.0

static const char *scope_of(const struct setup_results *setup)
{
    const char *scope = json_string_value(json_object_get(setup->axes, "scope"));
    return scope != NULL ? scope : "";
}

/* A copy of the axes without the scope; NULL when memory is short. */
static json_t *axes_without_scope(const struct setup_results *setup)
{
    json_t *axes = json_copy(setup->axes);
    if (axes != NULL) {
        json_object_del(axes, "scope");
    }
    return axes;
}

static bool differ_in_scope_alone(const struct setup_results *process,
                                  const struct setup_results *system)
{
    if (strcmp(scope_of(process), "process") != 0 || strcmp(scope_of(system), "system") != 0) {
        return false;
    }
    json_t *left = axes_without_scope(process);
    json_t *right = axes_without_scope(system);
    bool equal = json_equal(left, right) != 0;
    json_decref(left);
    json_decref(right);
    return equal;
}

/* More of a rate is faster; of a file's numbers it is not known what they are. */
static struct pairing make_pairing(const struct results *results, size_t base_index,
                                   size_t other_index, enum confidence confidence)
{
    const struct setup_results *base = &results->setups[base_index];
    const struct setup_results *other = &results->setups[other_index];
    bool is_rate = results->records != NULL;
    struct pairing pairing = {
        .base = base,
        .other = other,
        .words = {base->name, other->name, is_rate ? "faster" : "higher",
                  is_rate ? "slower" : "lower"},
        .has_comparison =
            base->sample.n >= MINISTAT_VALUES_MIN && other->sample.n >= MINISTAT_VALUES_MIN,
    };
    if (pairing.has_comparison) {
        pairing.comparison = comparison_make(&base->sample, &other->sample, confidence);
    }
    return pairing;
}

int pairing_by_scope(const struct results *results, enum confidence confidence,
                     struct pairing_list *list)
{
    *list = (struct pairing_list){.items = calloc(results->setup_count + 1, sizeof(*list->items))};
    if (list->items == NULL) {
        return ERR_MEMORY;
    }
    for (size_t i = 0; i < results->setup_count; i++) {
        for (size_t j = 0; j < results->setup_count; j++) {
            if (differ_in_scope_alone(&results->setups[i], &results->setups[j])) {
                struct pairing *pairing = &list->items[list->count++];
                *pairing = make_pairing(results, i, j, confidence);
                pairing->words.base = "process scope";
                pairing->words.other = "system scope";
                break;
            }
        }
    }
    return 0;
}

int pairing_with_base(const struct results *results, size_t base, enum confidence confidence,
                      struct pairing_list *list)
{
    *list = (struct pairing_list){.items = calloc(results->setup_count + 1, sizeof(*list->items))};
    if (list->items == NULL) {
        return ERR_MEMORY;
    }
    for (size_t i = 0; i < results->setup_count; i++) {
        if (i != base) {
            list->items[list->count++] = make_pairing(results, base, i, confidence);
        }
    }
    return 0;
}

void pairing_list_free(struct pairing_list *list)
{
    free(list->items);
    *list = (struct pairing_list){0};
}

struct flag_meaning {
    const char *flag;
    const char *meaning;
};

static const struct flag_meaning flag_meanings[] = {
    {"target-died", "the server died; not counted"},
    {"interrupted", "the run was cut short; not counted"},
    {"generator-bound", "the load tool was the limit, not the server: differences between setups "
                        "are hidden"},
    {"shared-core", "load tool and server shared a core or its sibling: each took time from the "
                    "other"},
    {"lossy", "queries were lost: the rate is that of an overloaded server"},
    {"steal", "the hypervisor took CPU time away"},
    {"slow-start", "the rate rose during the run: the warm-up was too short"},
};

static const char *meaning_of(const char *flag)
{
    for (size_t i = 0; i < ARRAY_LENGTH(flag_meanings); i++) {
        if (strcmp(flag_meanings[i].flag, flag) == 0) {
            return flag_meanings[i].meaning;
        }
    }
    return "flagged by the sweep";
}

size_t setup_runs_with_flag(const struct results *results, const struct setup_results *setup,
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

void setup_flags(const struct results *results, const struct setup_results *setup,
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

void pairing_setup_warnings(const struct results *results, const struct setup_results *setup,
                            struct text_list *warnings)
{
    struct text_list names = {0};
    setup_flags(results, setup, &names);
    for (size_t i = 0; i < names.count; i++) {
        text_list_addf(warnings, "%s: %s in %zu of %zu runs (%s)", setup->name, names.items[i],
                       setup_runs_with_flag(results, setup, names.items[i]), setup->run_count,
                       meaning_of(names.items[i]));
    }
    warnings->failed |= names.failed;
    text_list_free(&names);
    double spread = setup->sample.n == 0 || setup->sample.summary.mean == 0
                        ? 0
                        : 100 * setup->sample.summary.stddev / setup->sample.summary.mean;
    if (spread > WIDE_SPREAD_PERCENT) {
        text_list_addf(warnings, "%s: the standard deviation is %.0f%% of the mean", setup->name,
                       spread);
    }
}

/* Whether all runs of one setup came before all of the other. */
static bool is_sequential(const struct setup_results *a, const struct setup_results *b)
{
    if (a->counted == NULL || a->sample.n == 0 || b->sample.n == 0) {
        return false;
    }
    return a->counted[a->sample.n - 1] < b->counted[0] ||
           b->counted[b->sample.n - 1] < a->counted[0];
}

void pairing_warnings(const struct results *results, const struct pairing *pairing,
                      struct text_list *warnings)
{
    pairing_setup_warnings(results, pairing->base, warnings);
    pairing_setup_warnings(results, pairing->other, warnings);
    if (is_sequential(pairing->base, pairing->other)) {
        text_list_addf(warnings,
                       "the runs of %s and %s were not interleaved: a drift of the machine looks "
                       "like a difference",
                       pairing->base->name, pairing->other->name);
    }
}

void pairing_all_warnings(const struct results *results, const struct pairing_list *list,
                          struct text_list *warnings)
{
    struct text_list repeated = {0};
    for (size_t i = 0; i < list->count; i++) {
        pairing_warnings(results, &list->items[i], &repeated);
    }
    for (size_t i = 0; i < repeated.count; i++) {
        if (!holds_text(warnings, repeated.items[i])) {
            text_list_add(warnings, repeated.items[i]);
        }
    }
    warnings->failed |= repeated.failed;
    text_list_free(&repeated);
}

void pairing_print_sentence(const struct pairing *pairing, FILE *out)
{
    if (pairing->has_comparison) {
        comparison_print_sentence(&pairing->comparison, &pairing->words, out);
        return;
    }
    const struct setup_results *few =
        pairing->base->sample.n < MINISTAT_VALUES_MIN ? pairing->base : pairing->other;
    fprintf(out, "no comparison of %s and %s: %s has %zu runs that count, %d are needed",
            pairing->words.base, pairing->words.other, few->name, few->sample.n,
            MINISTAT_VALUES_MIN);
}
