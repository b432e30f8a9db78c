/* The head of any file can be classified. */
#include <stddef.h>
#include <stdint.h>

#include "system/preload.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    (void)preload_classify(data, size);
    return 0;
}
