/*
 * Experiment files: no text crashes the reader, and what it accepts is written as a file that reads
 * back the same, with the same plan. A first line "#--set KEY=VALUE" is applied as that option.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/diag.h"
#include "sweep/experiment.h"
#include "sweep/plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_again(const char *text, const struct plan *plan)
{
    struct diag diag = {0};
    struct experiment again;
    struct plan again_plan;
    CHECK(experiment_parse(&again, text, strlen(text), "/e/f", NULL, 0, &diag) == 0);
    char *again_text = experiment_format(&again);
    CHECK(again_text != NULL && strcmp(text, again_text) == 0);
    free(again_text);
    CHECK(plan_make(&again, &again_plan, &diag) == 0);
    CHECK(again_plan.start_count == plan->start_count);
    for (size_t i = 0; i < plan->start_count; i++) {
        CHECK(again_plan.starts[i].setup == plan->starts[i].setup);
    }
    plan_free(&again_plan);
    experiment_free(&again);
}

static void read_file(const char *text, size_t size, const char *set)
{
    struct diag diag = {0};
    struct experiment experiment;
    struct plan plan;
    if (experiment_parse(&experiment, text, size, "/e/f", &set, set != NULL, &diag) != 0) {
        CHECK(diag.code < 0 && diag.message[0] != '\0');
        return;
    }
    CHECK(plan_make(&experiment, &plan, &diag) == 0);
    char *written = experiment_format(&experiment);
    CHECK(written != NULL);
    check_again(written, &plan);
    free(written);
    plan_free(&plan);
    experiment_free(&experiment);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char prefix[] = "#--set ";
    const size_t prefix_size = sizeof(prefix) - 1;
    const char *text = (const char *)data;
    char *set = NULL;
    if (size > prefix_size && memcmp(text, prefix, prefix_size) == 0) {
        const char *end = memchr(text, '\n', size);
        size_t length = (end != NULL ? (size_t)(end - text) : size) - prefix_size;
        set = strndup(text + prefix_size, length);
        CHECK(set != NULL);
    }
    read_file(text, size, set);
    free(set);
    return 0;
}
