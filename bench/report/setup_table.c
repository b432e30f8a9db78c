#include "report/setup_table.h"

#include <string.h>

#include "core/error.h"
#include "report/warnings.h"

static int name_width(const struct results *results)
{
    size_t width = strlen("setup");
    for (size_t i = 0; i < results->setup_count; i++) {
        size_t length = strlen(results->setups[i].name);
        width = length > width ? length : width;
    }
    return (int)width;
}

/* "shared-core, lossy (2 of 5)" */
static int print_flags(const struct results *results, const struct setup_results *setup, FILE *out)
{
    struct text_list flags = {0};
    warnings_flags(results, setup, &flags);
    for (size_t i = 0; i < flags.count; i++) {
        size_t runs = warnings_runs_with_flag(results, setup, flags.items[i]);
        fprintf(out, "%s%s", i > 0 ? ", " : "  ", flags.items[i]);
        if (runs < setup->run_count) {
            fprintf(out, " (%zu of %zu)", runs, setup->run_count);
        }
    }
    int status = flags.failed ? ERR_MEMORY : 0;
    text_list_free(&flags);
    return status;
}

static int print_setup(const struct results *results, const struct setup_results *setup, int width,
                       FILE *out)
{
    const struct summary *summary = &setup->sample.summary;
    fprintf(out, "%-*s  %4zu", width, setup->name, setup->sample.n);
    if (setup->sample.n == 0) {
        fprintf(out, "  %11s  %11s  %7s", "-", "-", "-");
    } else if (setup->sample.n == 1 || summary->mean == 0) {
        fprintf(out, "  %11.1f  %11.1f  %7s", summary->median, summary->mean, "-");
    } else {
        fprintf(out, "  %11.1f  %11.1f  %6.1f%%", summary->median, summary->mean,
                100 * summary->stddev / summary->mean);
    }
    int status = print_flags(results, setup, out);
    fputc('\n', out);
    return status;
}

int setup_table_print(const struct results *results, FILE *out)
{
    int width = name_width(results);
    fprintf(out, "%-*s  runs   median qps     mean qps   stddev  flags\n", width, "setup");
    int status = 0;
    for (size_t i = 0; i < results->setup_count && status == 0; i++) {
        status = print_setup(results, &results->setups[i], width, out);
    }
    return status;
}
