/* A CPU list that is accepted has one canonical text, which is read back as the same set. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "cpu/cpu_set.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char canonical[CPU_SET_TEXT_SIZE];
    struct cpu_set set = {0};
    struct cpu_set again = {0};
    struct diag diag = {0};
    char *text = strndup((const char *)data, size);
    if (text != NULL && cpu_set_parse(text, &set, &diag) == 0) {
        CHECK(cpu_set_format(&set, canonical, sizeof(canonical)) < sizeof(canonical));
        CHECK(cpu_set_parse(canonical, &again, &diag) == 0);
        CHECK(cpu_set_equal(&set, &again));
    } else if (text != NULL) {
        CHECK(diag.code != 0);
    }
    (void)!(text == NULL || cpu_set_parse_mask(text, &set));
    free(text);
    return 0;
}
