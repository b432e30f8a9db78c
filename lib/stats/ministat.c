#include "stats/ministat.h"

#include "core/check.h"
#include "stats/ministat_plot.h"

const struct ministat_options ministat_default_options = {
    .width = MINISTAT_WIDTH_DEFAULT,
    .confidence = CONFIDENCE_95,
};

char ministat_symbol(size_t index)
{
    return MINISTAT_SYMBOLS[index + 1];
}

static void print_row(const struct sample *sample, char symbol, FILE *out)
{
    const struct summary *summary = &sample->summary;
    fprintf(out, "%c %3zu %13.8g %13.8g %13.8g %13.8g %13.8g\n", symbol, sample->n, summary->min,
            summary->max, summary->median, summary->mean, summary->stddev);
}

static void print_comparison(const struct comparison *comparison, FILE *out)
{
    if (!comparison->is_difference) {
        fprintf(out, "No difference proven at %.1f%% confidence\n", comparison->confidence_percent);
        return;
    }
    fprintf(out,
            "Difference at %.1f%% confidence\n\t%g +/- %g\n\t%g%% +/- %g%%\n"
            "\t(Student's t, pooled s = %g)\n",
            comparison->confidence_percent, comparison->difference, comparison->half_width,
            comparison->difference_percent, comparison->half_width_percent,
            comparison->pooled_stddev);
}

static void print_table(const struct ministat_options *options, const struct sample *samples,
                        size_t count, FILE *out)
{
    fputs("    N           Min           Max        Median           Avg        Stddev\n", out);
    for (size_t i = 0; i < count; i++) {
        print_row(&samples[i], ministat_symbol(i), out);
        if (i > 0 && !options->without_comparisons) {
            struct comparison comparison =
                comparison_make(&samples[0], &samples[i], options->confidence);
            print_comparison(&comparison, out);
        }
    }
}

int ministat_print(const struct ministat_options *options, const struct sample *samples,
                   size_t count, FILE *out)
{
    CHECK(count >= 1 && count <= MINISTAT_SAMPLES_MAX);
    CHECK(options->width >= MINISTAT_WIDTH_MIN && options->width <= MINISTAT_WIDTH_MAX);
    for (size_t i = 0; i < count; i++) {
        CHECK(samples[i].n >= MINISTAT_VALUES_MIN);
        fprintf(out, "%c %s\n", ministat_symbol(i), samples[i].name);
    }
    if (!options->without_plot && !options->without_comparisons) {
        int status = ministat_plot_print(options, samples, count, out);
        if (status != 0) {
            return status;
        }
    }
    print_table(options, samples, count, out);
    return 0;
}
