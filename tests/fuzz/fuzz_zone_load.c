/* Any octets as a master file: a zone, or a diagnosis. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/check.h"
#include "dns/zone_load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ignore_warning(void *context, const struct zone_place *place, const char *text)
{
    (void)context;
    (void)place;
    (void)text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    int fd = memfd_create("zone", 0);
    CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    snprintf(path, sizeof(path), "/dev/fd/%d", fd);
    lseek(fd, 0, SEEK_SET);
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
