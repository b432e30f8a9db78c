#include "report/pairing.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "report/warnings.h"
#include "stats/ministat.h"

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
                  is_rate ? "slower" : "lower", warnings_make_doubtful(results, base, other)},
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

void pairing_warnings(const struct results *results, const struct pairing *pairing,
                      struct text_list *warnings)
{
    const struct setup_results *setups[] = {pairing->base, pairing->other};
    warnings_gather(results, setups, ARRAY_LENGTH(setups), warnings);
}

void pairing_print_sentence(const struct pairing *pairing, FILE *out)
{
    if (pairing->has_comparison) {
        comparison_print_sentence(&pairing->comparison, &pairing->words, out);
        return;
    }
    const struct setup_results *few =
        pairing->base->sample.n < MINISTAT_VALUES_MIN ? pairing->base : pairing->other;
    fprintf(out, "no comparison of %s and %s: %s has %zu run%s that count%s, %d are needed",
            pairing->words.base, pairing->words.other, few->name, few->sample.n,
            few->sample.n == 1 ? "" : "s", few->sample.n == 1 ? "s" : "", MINISTAT_VALUES_MIN);
}
