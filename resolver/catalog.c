#include "catalog.h"

#include <string.h>

#include "core/error.h"
#include "dns/wire.h"
#include "dns/zone_load.h"
#include "log.h"

#define SOA_FIXED_BYTES 20 /* SERIAL, REFRESH, RETRY, EXPIRE, MINIMUM */

static void log_warning(void *context, const struct zone_place *place, const char *text)
{
    (void)context;
    log_line(LOG_LEVEL_WARNING, "%s:%u: %s", place->file, place->line, text);
}

static uint32_t soa_serial(const struct zone *zone)
{
    const uint8_t *serial = zone->soa->image + zone->soa->image_bytes - SOA_FIXED_BYTES;
    return (uint32_t)wire_get_u16(serial) << 16 | wire_get_u16(serial + 2);
}

static int load_zone(const struct config *config, const struct config_zone *entry,
                     struct zone_set *zones, struct diag *diag)
{
    const struct zone_warning_sink sink = {.warn = log_warning};
    struct zone *zone = NULL;
    int status = zone_load(entry->origin, entry->file, &sink, &zone, diag);
    if (status != 0) {
        return status;
    }
    char name[NAME_TEXT_SIZE];
    name_format(zone->origin, name);
    uint32_t serial = soa_serial(zone);
    status = zone_set_add(zones, zone);
    if (status != 0) {
        zone_free(zone);
        return diag_fail(diag, status, config->path, entry->line,
                         status == ERR_EXISTS ? "zone '%s' is there twice; name each zone once"
                                              : "zone '%s': out of memory",
                         entry->origin);
    }
    log_line(LOG_LEVEL_INFO, "zone %s/IN: loaded serial %u", name, serial);
    return 0;
}

int catalog_load(const struct config *config, struct zone_set *zones, struct diag *diag)
{
    int status = 0;
    for (size_t i = 0; i < config->zone_count && status == 0; i++) {
        status = load_zone(config, &config->zones[i], zones, diag);
    }
    return status;
}
