#include "dns/zone_ttl.h"

static uint64_t unit_seconds(char unit)
{
    switch (unit | 0x20) {
    case 'w':
        return 7 * 86400;
    case 'd':
        return 86400;
    case 'h':
        return 3600;
    case 'm':
        return 60;
    case 's':
        return 1;
    default:
        return 0;
    }
}

bool zone_ttl_parse(const char *text, uint32_t *seconds)
{
    uint64_t sum = 0;
    bool has_units = false;
    do {
        uint64_t number = 0;
        const char *digits = text;
        for (; *text >= '0' && *text <= '9'; text++) {
            number = number * 10 + (uint64_t)(*text - '0');
            if (number > UINT32_MAX) {
                return false;
            }
        }
        uint64_t unit = *text == '\0' ? 1 : unit_seconds(*text);
        if (text == digits || unit == 0 || (*text == '\0' && has_units)) {
            return false;
        }
        has_units = true;
        sum += number * unit;
        text += *text != '\0';
    } while (*text != '\0' && sum <= UINT32_MAX);
    if (sum > UINT32_MAX) {
        return false;
    }
    *seconds = (uint32_t)sum;
    return true;
}
