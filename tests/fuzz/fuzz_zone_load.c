/* Any octets as a master file: a zone, or a diagnosis. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "core/check.h"
#include "dns/zone_load.h"
#include "memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ignore_warning(void *context, const struct zone_place *place, const char *text)
{
    (void)context;
    (void)place;
    (void)text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[MEMORY_FILE_PATH_BYTES];
    int fd = memory_file(data, size, path);
    const struct zone_warning_sink sink = {.warn = ignore_warning};
    struct diag diag = {0};
    struct zone *zone = NULL;
    int status = zone_load("example", path, &sink, &zone, &diag);
    CHECK((status == 0) == (zone != NULL));
    CHECK((status == 0) == (diag.code == 0));
    CHECK(strchr(diag.message, '\n') == NULL);
    zone_free(zone);
    close(fd);
    return 0;
}
