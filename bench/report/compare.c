#include "report/compare.h"

#include <string.h>

#include "core/error.h"
#include "report/pairing.h"
#include "report/setup_table.h"
#include "report/text_file.h"
#include "report/warnings.h"

struct view {
    const struct results *results;
    const struct compare_options *options;
    FILE *out;
};

static int print_setups(const struct results *results, FILE *out)
{
    size_t counted = 0;
    for (size_t i = 0; i < results->setup_count; i++) {
        counted += results->setups[i].sample.n;
    }
    int status = setup_table_print(results, out);
    if (counted < results->run_count) {
        fprintf(out, "%zu of %zu runs do not count: the warnings say why\n",
                results->run_count - counted, results->run_count);
    }
    if (results->has_torn_line) {
        fputs("the last line of runs.jsonl was cut off and is left out\n", out);
    }
    return status;
}

/* About the base and the others of some pairings with it, together; `pairings` has one at least,
 * of which with a `count` of 0 the base alone is taken. */
static int print_warnings(const struct view *view, const struct pairing *pairings, size_t count)
{
    const struct setup_results *setups[MINISTAT_SAMPLES_MAX] = {pairings[0].base};
    struct text_list warnings = {0};
    for (size_t i = 0; i < count; i++) {
        setups[i + 1] = pairings[i].other;
    }
    warnings_gather(view->results, setups, count + 1, &warnings);
    for (size_t i = 0; i < warnings.count; i++) {
        fprintf(view->out, "warning: %s\n", warnings.items[i]);
    }
    int status = warnings.failed ? ERR_MEMORY : 0;
    text_list_free(&warnings);
    return status;
}

/* ministat's block: the base, and of the others those that can be compared with it. */
static int print_block(const struct view *view, const struct pairing *pairings, size_t count)
{
    struct sample samples[MINISTAT_SAMPLES_MAX] = {pairings[0].base->sample};
    size_t filled = 1;
    for (size_t i = 0; i < count; i++) {
        if (pairings[i].has_comparison) {
            samples[filled++] = pairings[i].other->sample;
        }
    }
    return filled == 1 ? 0 : ministat_print(&view->options->ministat, samples, filled, view->out);
}

/* One base with at most MINISTAT_SAMPLES_MAX - 1 others. */
static int print_pairings(const struct view *view, const struct pairing *pairings, size_t count)
{
    const struct compare_options *options = view->options;
    int status = print_block(view, pairings, count);
    if (status != 0 || options->ministat_only || options->ministat.without_comparisons) {
        return status;
    }
    for (size_t i = 0; i < count; i++) {
        pairing_print_sentence(&pairings[i], view->out);
        fputc('\n', view->out);
    }
    return print_warnings(view, pairings, count);
}

static int print_with_base(const struct view *view, size_t base)
{
    const size_t step = MINISTAT_SAMPLES_MAX - 1;
    struct pairing_list list;
    int status = pairing_with_base(view->results, base, view->options->ministat.confidence, &list);
    for (size_t i = 0; status == 0 && i < list.count; i += step) {
        size_t count = list.count - i < step ? list.count - i : step;
        if (view->results->records != NULL && !view->options->ministat_only) {
            fprintf(view->out, "\n* %s and the others\n", view->results->setups[base].name);
        }
        status = print_pairings(view, &list.items[i], count);
    }
    pairing_list_free(&list);
    return status;
}

static int print_scope_pairs(const struct view *view, size_t *printed)
{
    struct pairing_list list;
    int status = pairing_by_scope(view->results, view->options->ministat.confidence, &list);
    for (size_t i = 0; status == 0 && i < list.count; i++) {
        if (!view->options->ministat_only) {
            fprintf(view->out, "\n* %s vs %s\n", list.items[i].base->name,
                    list.items[i].other->name);
        }
        status = print_pairings(view, &list.items[i], 1);
    }
    *printed = list.count;
    pairing_list_free(&list);
    return status;
}

/* One file is shown as ministat shows it; one setup of a sweep may want more explanation. */
static int print_single(const struct view *view)
{
    const struct sample *sample = &view->results->setups[0].sample;
    int status = sample->n < MINISTAT_VALUES_MIN
                     ? 0
                     : ministat_print(&view->options->ministat, sample, 1, view->out);
    if (view->results->records != NULL && !view->options->ministat_only) {
        fputs("nothing to compare: there is one setup only\n", view->out);
        const struct pairing alone = {.base = &view->results->setups[0]};
        int warned = print_warnings(view, &alone, 0);
        status = status != 0 ? status : warned;
    }
    return status;
}

static int print_all(const struct view *view, size_t base)
{
    const struct results *results = view->results;
    if (results->setup_count == 0) {
        fputs("nothing to compare: no run was made\n", view->out);
        return 0;
    }
    int status = 0;
    if (results->records != NULL && !view->options->ministat_only) {
        status = print_setups(results, view->out);
    }
    if (status != 0 || results->setup_count == 1) {
        return status != 0 ? status : print_single(view);
    }
    size_t pairs = 0;
    status = print_scope_pairs(view, &pairs);
    if (status == 0 && (view->options->baseline != NULL || pairs == 0)) {
        status = print_with_base(view, base);
    }
    if (status == 0 && results->records == NULL && !view->options->ministat_only) {
        fputs("warning: files do not tell when the runs were made; if those of one file came after "
              "those of another,\na drift of the machine looks like a difference\n",
              view->out);
    }
    return status;
}

int compare_print(const struct results *results, const struct compare_options *options, FILE *out,
                  struct diag *diag)
{
    size_t base = 0;
    if (options->baseline != NULL) {
        int status = results_find_setup(results, options->baseline, &base, diag);
        if (status != 0) {
            return status;
        }
    }
    const struct view view = {results, options, out};
    int status = print_all(&view, base);
    return status == 0 ? 0 : diag_fail(diag, status, NULL, 0, "out of memory");
}

int compare_results_directory(const char *directory, FILE *out, struct diag *diag)
{
    struct results results;
    int status = results_load(directory, &results, diag);
    if (status != 0) {
        return status;
    }
    const struct compare_options options = {.ministat = ministat_default_options};
    struct text_file text;
    status = text_file_open(&text, diag);
    if (status == 0) {
        status = compare_print(&results, &options, text.out, diag);
        if (fflush(text.out) != 0) {
            status = diag_fail_errno(diag, NULL, "cannot make the comparison");
        }
        if (status == 0 && out != NULL && fwrite(text.text, 1, text.size, out) != text.size) {
            status = diag_fail_errno(diag, NULL, "cannot write the comparison");
        }
        int saved = text_file_save(&text, directory, "compare.txt", diag);
        status = status != 0 ? status : saved;
    }
    results_free(&results);
    return status;
}
