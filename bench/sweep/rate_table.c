#include "sweep/rate_table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "stats/sample.h"

#define FLAGS_MAX 32

struct flag_count {
    char name[64];
    size_t runs;
};

struct flag_counts {
    struct flag_count flags[FLAGS_MAX];
    size_t count;
};

static void count_flag(struct flag_counts *counts, const char *name, size_t length)
{
    for (size_t i = 0; i < counts->count; i++) {
        if (strlen(counts->flags[i].name) == length &&
            memcmp(counts->flags[i].name, name, length) == 0) {
            counts->flags[i].runs++;
            return;
        }
    }
    if (counts->count < FLAGS_MAX && length < sizeof(counts->flags[0].name)) {
        struct flag_count *flag = &counts->flags[counts->count++];
        memcpy(flag->name, name, length);
        flag->name[length] = '\0';
        flag->runs = 1;
    }
}

/* Counts the words of a run's flags. */
static void count_flags(struct flag_counts *counts, const char *flags)
{
    while (*flags != '\0') {
        size_t length = strcspn(flags, " ");
        count_flag(counts, flags, length);
        flags += length;
        flags += strspn(flags, " ");
    }
}

/* "shared-core, lossy (2 of 5)" */
static void print_flags(const struct results_dir *results, size_t setup, FILE *out)
{
    struct flag_counts counts = {0};
    size_t runs = 0;
    for (size_t i = 0; i < results->run_count; i++) {
        if (results->runs[i].setup == setup) {
            count_flags(&counts, results->runs[i].flags);
            runs++;
        }
    }
    for (size_t i = 0; i < counts.count; i++) {
        fprintf(out, "%s%s", i > 0 ? ", " : "  ", counts.flags[i].name);
        if (counts.flags[i].runs < runs) {
            fprintf(out, " (%zu of %zu)", counts.flags[i].runs, runs);
        }
    }
}

static int print_setup(const struct results_dir *results, size_t setup, int width, FILE *out,
                       struct diag *diag)
{
    double *values = NULL;
    size_t count = 0;
    int status = results_dir_rates(results, setup, &values, &count, diag);
    if (status != 0) {
        return status;
    }
    const char *name = results->plan->setups[setup].name;
    fprintf(out, "%-*s  %4zu", width, name, count);
    struct sample sample;
    if (count == 0) {
        fprintf(out, "  %12s  %12s  %10s", "-", "-", "-");
    } else if (sample_init(&sample, name, values, count) == 0) {
        fprintf(out, "  %12.1f  %12.1f  %10.1f", sample.summary.median, sample.summary.mean,
                sample.summary.stddev);
        sample_free(&sample);
    } else {
        status = diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
    }
    print_flags(results, setup, out);
    fputc('\n', out);
    free(values);
    return status;
}

int rate_table_print(const struct results_dir *results, FILE *out, struct diag *diag)
{
    int width = (int)strlen("setup");
    for (size_t i = 0; i < results->plan->setup_count; i++) {
        int length = (int)strlen(results->plan->setups[i].name);
        width = length > width ? length : width;
    }
    fprintf(out, "%-*s  %4s  %12s  %12s  %10s  flags\n", width, "setup", "N", "median", "mean",
            "stddev");
    int status = 0;
    for (size_t i = 0; status == 0 && i < results->plan->setup_count; i++) {
        status = print_setup(results, i, width, out, diag);
    }
    return status;
}
