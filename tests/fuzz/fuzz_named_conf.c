/* Any octets as named.conf: a configuration, or a diagnosis. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/check.h"
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
    char path[64];
    int fd = memfd_create("conf", 0);
    CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    snprintf(path, sizeof(path), "/dev/fd/%d", fd);
    lseek(fd, 0, SEEK_SET);
    const struct conf_warning_sink sink = {.warn = ignore_warning};
    struct diag diag = {0};
    struct config config;
    int status = named_conf_read(path, &sink, &config, &diag);
    CHECK((status == 0) == (diag.code == 0));
    config_release(&config);
    close(fd);
    return 0;
}
