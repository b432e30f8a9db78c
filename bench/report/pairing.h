/*
 * Which setups of a sweep are compared with which, and what comes out in one sentence. Pure over
 * the results; one thread at a time.
 */
#ifndef REPORT_PAIRING_H
#define REPORT_PAIRING_H

#include <stdbool.h>
#include <stddef.h>

#include "core/attributes.h"
#include "report/results.h"
#include "stats/comparison.h"
#include "system/text_list.h"

struct pairing {
    const struct setup_results *base;
    const struct setup_results *other;
    struct comparison_words words; /* "process scope" and "system scope" when that is all */
    bool has_comparison;           /* both have runs enough; else `comparison` is not filled in */
    struct comparison comparison;
};

struct pairing_list {
    struct pairing *items;
    size_t count;
};

/* Every setup under process scope with the one that differs from it in system scope alone. 0 or
 * ERR_MEMORY; the results must outlive the list. */
int pairing_by_scope(const struct results *results, enum confidence confidence,
                     struct pairing_list *list) MUST_CHECK;

/* Every other setup with setup number `base`. */
int pairing_with_base(const struct results *results, size_t base, enum confidence confidence,
                      struct pairing_list *list) MUST_CHECK;

void pairing_list_free(struct pairing_list *list);

/* What makes this comparison doubtful (report/warnings.h); appends to `warnings`. */
void pairing_warnings(const struct results *results, const struct pairing *pairing,
                      struct text_list *warnings);

/* The sentence in plain words; or that there are too few runs for one. */
void pairing_print_sentence(const struct pairing *pairing, FILE *out);

#endif
