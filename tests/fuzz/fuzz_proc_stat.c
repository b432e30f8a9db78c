/* Texts of /proc, whose names other programs choose, and of /proc/stat, cpuinfo and loadavg. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "system/host_info.h"
#include "system/log_tail.h"
#include "system/proc_sample.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct proc_stat stat;
    struct proc_status status;
    struct host_sample host = {0};
    char *text = strndup((const char *)data, size);
    if (text == NULL) {
        return 0;
    }
    if (proc_stat_parse(text, &stat) == 0) {
        CHECK(strlen(stat.name) < sizeof(stat.name));
    }
    (void)!proc_status_parse(text, &status);
    (void)!host_stat_parse(text, &host);
    (void)!host_loadavg_parse(text, &host);
    (void)host_cpuinfo_mean_mhz(text);
    (void)proc_maps_have(text, "lib");
    json_decref(host_info_field(text, "model name"));
    CHECK(log_tail_offset((const char *)data, size, 3) <= size);
    free(text);
    return 0;
}
