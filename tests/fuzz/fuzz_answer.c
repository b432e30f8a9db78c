/* Any octets as a query: an answer within the limits, or silence. */
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "answer.h"
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

static struct zone_set *load_zones(void)
{
    static const char text[] =
        "$TTL 60\n@ SOA ns hostmaster 1 2 3 4 5\n@ NS ns\nns A 192.0.2.1\nns AAAA ::1\n"
        "*.w TXT wild\n*.w MX 1 a.w\na.b.c A 192.0.2.2\nl CNAME m\nm CNAME l\nn CNAME a.b.c\n"
        "d DNAME e.f\n*.e.f CNAME ns\ncut NS ns.cut\nns.cut A 192.0.2.3\ng DNAME h\nh DNAME g\n";
    char path[MEMORY_FILE_PATH_BYTES];
    const struct zone_warning_sink sink = {.warn = ignore_warning};
    struct diag diag = {0};
    struct zone *zone = NULL;
    struct zone_set *zones = zone_set_create();
    CHECK(zones != NULL);
    int fd = memory_file(text, sizeof(text) - 1, path);
    CHECK(zone_load("x", path, &sink, &zone, &diag) == 0);
    close(fd);
    CHECK(zone_set_add(zones, zone) == 0);
    return zones;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct zone_set *zones; /* loaded once; every call only reads it */
    uint8_t out[ANSWER_MAX_BYTES];
    if (zones == NULL) {
        zones = load_zones();
    }
    size_t bytes = answer(zones, data, size, out);
    CHECK(bytes == 0 || (bytes >= 12 && bytes <= sizeof(out)));
    CHECK(bytes == 0 || (out[0] == data[0] && out[1] == data[1] && (out[2] & 0x80) != 0));
    return 0;
}
