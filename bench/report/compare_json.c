#include "report/compare_json.h"

#include <math.h>
#include <stdlib.h>

#include "core/error.h"
#include "report/pairing.h"
#include "report/text_file.h"

/* null where per cent of the base mean nothing; JSON has no nan besides. */
static json_t *percent_or_null(const struct comparison *comparison, double percent)
{
    return comparison->has_percent && isfinite(percent) ? json_real(percent) : json_null();
}

static json_t *sample_json(const struct setup_results *setup)
{
    json_t *object = json_pack("{s:s, s:I, s:I}", "name", setup->name, "runs",
                               (json_int_t)setup->run_count, "n", (json_int_t)setup->sample.n);
    if (object != NULL && setup->sample.n > 0) {
        const struct summary *summary = &setup->sample.summary;
        json_object_set_new(object, "min", json_real(summary->min));
        json_object_set_new(object, "max", json_real(summary->max));
        json_object_set_new(object, "median", json_real(summary->median));
        json_object_set_new(object, "mean", json_real(summary->mean));
        json_object_set_new(object, "stddev", json_real(summary->stddev));
    }
    return object;
}

static json_t *sentence_json(const struct pairing *pairing)
{
    struct diag unsaid = {0};
    struct text_file text;
    if (text_file_open(&text, &unsaid) != 0) {
        return NULL;
    }
    pairing_print_sentence(pairing, text.out);
    if (text_file_take(&text, &unsaid) != 0) {
        return NULL;
    }
    json_t *string = json_string(text.text);
    free(text.text);
    return string;
}

static json_t *warnings_json(const struct results *results, const struct pairing *pairing)
{
    json_t *array = json_array();
    struct text_list warnings = {0};
    pairing_warnings(results, pairing, &warnings);
    for (size_t i = 0; i < warnings.count; i++) {
        json_array_append_new(array, json_string(warnings.items[i]));
    }
    text_list_free(&warnings);
    return array;
}

static json_t *pairing_json(const struct results *results, const struct pairing *pairing)
{
    json_t *object =
        json_pack("{s:s, s:s, s:b, s:o, s:o}", "base", pairing->base->name, "other",
                  pairing->other->name, "comparable", pairing->has_comparison, "sentence",
                  sentence_json(pairing), "warnings", warnings_json(results, pairing));
    if (object != NULL && pairing->has_comparison) {
        const struct comparison *comparison = &pairing->comparison;
        json_object_set_new(object, "is_difference", json_boolean(comparison->is_difference));
        json_object_set_new(object, "difference", json_real(comparison->difference));
        json_object_set_new(object, "half_width", json_real(comparison->half_width));
        json_object_set_new(object, "difference_percent",
                            percent_or_null(comparison, comparison->difference_percent));
        json_object_set_new(object, "half_width_percent",
                            percent_or_null(comparison, comparison->half_width_percent));
        json_object_set_new(object, "pooled_stddev", json_real(comparison->pooled_stddev));
        json_object_set_new(object, "detectable_percent",
                            percent_or_null(comparison, comparison->detectable_percent));
    }
    return object;
}

static void append_pairings(json_t *array, const struct results *results,
                            const struct pairing_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        json_array_append_new(array, pairing_json(results, &list->items[i]));
    }
}

static int comparisons_json(const struct results *results, const struct compare_options *options,
                            size_t base, json_t *array)
{
    enum confidence confidence = options->ministat.confidence;
    struct pairing_list list;
    int status = pairing_by_scope(results, confidence, &list);
    bool wants_base =
        status == 0 && results->setup_count > 1 && (options->baseline != NULL || list.count == 0);
    append_pairings(array, results, &list);
    pairing_list_free(&list);
    if (wants_base) {
        status = pairing_with_base(results, base, confidence, &list);
        append_pairings(array, results, &list);
        pairing_list_free(&list);
    }
    return status;
}

int compare_print_json(const struct results *results, const struct compare_options *options,
                       FILE *out, struct diag *diag)
{
    size_t base = 0;
    if (options->baseline != NULL) {
        int status = results_find_setup(results, options->baseline, &base, diag);
        if (status != 0) {
            return status;
        }
    }
    json_t *samples = json_array();
    for (size_t i = 0; i < results->setup_count; i++) {
        json_array_append_new(samples, sample_json(&results->setups[i]));
    }
    json_t *comparisons = json_array();
    int status = comparisons_json(results, options, base, comparisons);
    json_t *root = json_pack("{s:f, s:o, s:o}", "confidence_percent",
                             confidence_percent(options->ministat.confidence), "samples", samples,
                             "comparisons", comparisons);
    if (status != 0 || root == NULL ||
        json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) != 0) {
        status = diag_fail(diag, ERR_MEMORY, NULL, 0, "cannot make the JSON");
    } else {
        fputc('\n', out);
    }
    json_decref(root);
    return status;
}
