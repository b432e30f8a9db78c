/* Any octets as named.conf: a configuration, or a diagnosis. */
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "core/check.h"
#include "memory_file.h"
#include "named_conf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ignore_warning(void *context, const char *file, unsigned line, const char *text)
{
    (void)context;
    (void)file;
    (void)line;
    (void)text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[MEMORY_FILE_PATH_BYTES];
    int fd = memory_file(data, size, path);
    const struct conf_warning_sink sink = {.warn = ignore_warning};
    struct diag diag = {0};
    struct config config;
    int status = named_conf_read(path, &sink, &config, &diag);
    CHECK((status == 0) == (diag.code == 0));
    config_release(&config);
    close(fd);
    return 0;
}
