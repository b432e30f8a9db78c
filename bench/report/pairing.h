/*
 * Which setups of a sweep are compared with which, and what has to be said about such a
 * comparison. Pure over the results; one thread at a time.
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

/* The names of all flags in the runs of a setup, each once, appended to `names`. */
void setup_flags(const struct results *results, const struct setup_results *setup,
                 struct text_list *names);

/* How many runs of the setup have that flag. */
size_t setup_runs_with_flag(const struct results *results, const struct setup_results *setup,
                            const char *flag);

/* What makes the figures of one setup doubtful: flags of its runs, runs that do not count, a wide
 * spread. Appends one text for each. */
void pairing_setup_warnings(const struct results *results, const struct setup_results *setup,
                            struct text_list *warnings);

/* The same of both setups, and of the order in which their runs were made. */
void pairing_warnings(const struct results *results, const struct pairing *pairing,
                      struct text_list *warnings);

/* The same of all pairings, each text once. */
void pairing_all_warnings(const struct results *results, const struct pairing_list *list,
                          struct text_list *warnings);

/* The sentence in plain words; or that there are too few runs for one. */
void pairing_print_sentence(const struct pairing *pairing, FILE *out);

#endif
