/* Reads named.conf, the part of it that this server implements; the rest is passed over. */
#ifndef RESOLVER_NAMED_CONF_H
#define RESOLVER_NAMED_CONF_H

#include "config.h"
#include "core/attributes.h"
#include "core/diag.h"

/* Hears of statements that were passed over. */
struct conf_warning_sink {
    void (*warn)(void *context, const char *file, unsigned line, const char *text);
    void *context;
};

/*
 * Reads `path` and what it includes into `config`, which is empty and must be released in any
 * case. 0, or an error with a diag: ERR_SYNTAX (with the line), ERR_SYSTEM, ERR_MEMORY.
 */
int named_conf_read(const char *path, const struct conf_warning_sink *sink, struct config *config,
                    struct diag *diag) MUST_CHECK;

#endif
