/* What a server is to serve and where: named.conf and the command line, read, nothing done yet. */
#ifndef RESOLVER_CONFIG_H
#define RESOLVER_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attributes.h"
#include "core/diag.h"

struct config_listen {
    char *address; /* numeric, "any" or "none" */
    bool is_ipv6;
    uint16_t port; /* 0: the server's default */
    unsigned line;
};

struct config_zone {
    char *origin;
    char *file;
    unsigned line; /* 0 when it came from the command line */
};

/* Everything is owned by the config. */
struct config {
    char *path;      /* of the configuration file, or NULL */
    char *directory; /* or NULL */
    unsigned directory_line;
    uint16_t port; /* of listens that name none; 0: not given */
    struct config_listen *listens;
    size_t listen_count;
    struct config_zone *zones;
    size_t zone_count;
};

/* Adds a zone; 0, ERR_MEMORY with a diag. */
int config_add_zone(struct config *config, const char *origin, const char *file, unsigned line,
                    struct diag *diag) MUST_CHECK;

/* 0 when the text can be a zone's name; else ERR_SYNTAX with its place (`file` may be NULL) and
 * what is wrong; `option` ("option -z: ", or "") goes before it. */
int config_check_origin(const char *option, const char *origin, const char *file, unsigned line,
                        struct diag *diag) MUST_CHECK;

/* Adds an address to listen on; 0, ERR_MEMORY with a diag. */
int config_add_listen(struct config *config, const struct config_listen *listen,
                      struct diag *diag) MUST_CHECK;

void config_release(struct config *config);

#endif
