/* Files of numbers: whatever is in them, what is read can be plotted and compared. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/check.h"
#include "stats/ministat.h"
#include "stats/numbers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void print_ministat(const struct numbers *numbers)
{
    /* Two samples with every other number, so that bars and stacks of both meet. */
    struct sample samples[2];
    size_t half = numbers->count / 2;
    CHECK(sample_init(&samples[0], "a", numbers->values, half) == 0);
    CHECK(sample_init(&samples[1], "b", numbers->values + half, numbers->count - half) == 0);
    struct ministat_options options = ministat_default_options;
    options.separate_bars = numbers->count % 2 == 1;
    options.width = numbers->count % 3 == 0 ? MINISTAT_WIDTH_MIN : MINISTAT_WIDTH_DEFAULT;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    CHECK(out != NULL);
    CHECK(ministat_print(&options, samples, 2, out) == 0);
    CHECK(fclose(out) == 0);
    free(text);
    sample_free(&samples[0]);
    sample_free(&samples[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diag diag = {0};
    struct numbers numbers;
    struct numbers_format format = numbers_default_format;
    if (size > 0 && data[0] == ',') {
        format = (struct numbers_format){.column = 2, .delimiters = ",;"};
    }
    if (numbers_parse((const char *)data, size, &format, "f", &numbers, &diag) != 0) {
        CHECK(diag.code != 0);
        return 0;
    }
    if (numbers.count >= 2 * MINISTAT_VALUES_MIN) {
        print_ministat(&numbers);
    }
    numbers_free(&numbers);
    return 0;
}
