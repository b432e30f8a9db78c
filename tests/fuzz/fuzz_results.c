/* runs.jsonl as it may be after a crash or another program: read, compared, made into a page. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/check.h"
#include "report/compare.h"
#include "report/compare_json.h"
#include "report/plot_text.h"
#include "report/report_page.h"
#include "report/runs_csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void print_all(const struct results *results, FILE *out)
{
    struct diag diag = {0};
    const struct compare_options options = {.ministat = ministat_default_options};
    CHECK(compare_print(results, &options, out, &diag) == 0);
    CHECK(compare_print_json(results, &options, out, &diag) == 0);
    runs_csv_print(results, out);
    const struct bytes none = {0};
    const struct report_input input = {.name = "f", .results = results, .experiment = &none};
    CHECK(report_page_print(&input, out, &diag) == 0);
    for (const struct plot_file *file = plot_files; file->name != NULL; file++) {
        file->print(results, out);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diag diag = {0};
    struct results results;
    if (results_parse((const char *)data, size, "f", &results, &diag) != 0) {
        CHECK(diag.code != 0);
        return 0;
    }
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    CHECK(out != NULL);
    print_all(&results, out);
    CHECK(fclose(out) == 0);
    free(text);
    results_free(&results);
    return 0;
}
