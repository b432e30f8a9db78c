#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "dns/name_text.h"

static int fail_memory(struct diag *diag)
{
    return diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
}

int config_add_zone(struct config *config, const char *origin, const char *file, unsigned line,
                    struct diag *diag)
{
    struct config_zone *zones =
        reallocarray(config->zones, config->zone_count + 1, sizeof(zones[0]));
    if (zones == NULL) {
        return fail_memory(diag);
    }
    config->zones = zones;
    struct config_zone zone = {.origin = strdup(origin), .file = strdup(file), .line = line};
    if (zone.origin == NULL || zone.file == NULL) {
        free(zone.origin);
        free(zone.file);
        return fail_memory(diag);
    }
    zones[config->zone_count++] = zone;
    return 0;
}

int config_check_origin(const char *option, const char *origin, const char *file, unsigned line,
                        struct diag *diag)
{
    uint8_t wire[DNS_NAME_MAX_BYTES];
    size_t size = 0;
    enum name_text_error error = name_text_to_wire(origin, strlen(origin), wire, &size);
    return error == NAME_TEXT_OK ? 0
                                 : diag_fail(diag, ERR_SYNTAX, file, line, "%szone name '%s': %s",
                                             option, origin, name_text_problem(error));
}

int config_add_listen(struct config *config, const struct config_listen *listen, struct diag *diag)
{
    struct config_listen *listens =
        reallocarray(config->listens, config->listen_count + 1, sizeof(listens[0]));
    if (listens == NULL) {
        return fail_memory(diag);
    }
    config->listens = listens;
    struct config_listen copy = *listen;
    copy.address = strdup(listen->address);
    if (copy.address == NULL) {
        return fail_memory(diag);
    }
    listens[config->listen_count++] = copy;
    return 0;
}

void config_release(struct config *config)
{
    for (size_t i = 0; i < config->zone_count; i++) {
        free(config->zones[i].origin);
        free(config->zones[i].file);
    }
    for (size_t i = 0; i < config->listen_count; i++) {
        free(config->listens[i].address);
    }
    free(config->zones);
    free(config->listens);
    free(config->directory);
    free(config->path);
    *config = (struct config){0};
}
