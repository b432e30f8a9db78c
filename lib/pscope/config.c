#include "pscope/config.h"

#include <stdio.h>
#include <string.h>

/* Decimal digits only, the whole text, at most `max`. */
static bool parse_number(const char *text, unsigned max, unsigned *value)
{
    unsigned long long sum = 0;

    if (!*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return false;
        sum = sum * 10 + (unsigned)(*text - '0');
        if (sum > max)
            return false;
    }
    *value = (unsigned)sum;
    return true;
}

/* Writes `text` with everything unprintable as '?', so that the error stays one line. */
static void copy_printable(char *out, size_t size, const char *text)
{
    size_t i;

    for (i = 0; text[i] && i + 1 < size; i++)
        out[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
    out[i] = '\0';
}

static int read_number(const char *name, const char *text, unsigned max, const char *zero,
                       unsigned *value, char *error, size_t size)
{
    char shown[64];

    if (!text || parse_number(text, max, value))
        return 0;
    copy_printable(shown, sizeof shown, text);
    snprintf(error, size, "%s: \"%s\" is not a whole number from 0 (%s) to %u", name, shown, zero,
             max);
    return -1;
}

int config_read(struct config *config, char *(*get)(const char *name), char *error, size_t size)
{
    const char *stats = get("LIBPTHREAD_STATS");

    *config = (struct config){.quantum_us = CONFIG_QUANTUM_US_DEFAULT};
    if (get("LIBPTHREAD_SYSTEM_SCOPE"))
        config->scope = CONFIG_SCOPE_SYSTEM;
    else if (get("LIBPTHREAD_PROCESS_SCOPE"))
        config->scope = CONFIG_SCOPE_PROCESS;
    config->stats_file = stats;
    config->debug = get("LIBPTHREAD_DEBUG") != NULL;
    if (stats && !*stats) {
        snprintf(error, size, "LIBPTHREAD_STATS: empty; the name of a file is right");
        return -1;
    }
    if (read_number("LIBPTHREAD_VIRTUAL_CPU", get("LIBPTHREAD_VIRTUAL_CPU"),
                    CONFIG_VIRTUAL_CPUS_MAX, "all CPUs of the affinity mask", &config->virtual_cpus,
                    error, size))
        return -1;
    return read_number("LIBPTHREAD_QUANTUM_US", get("LIBPTHREAD_QUANTUM_US"), CONFIG_QUANTUM_US_MAX,
                       "no time slices", &config->quantum_us, error, size);
}
