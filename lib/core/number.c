#include "core/number.h"

#include <stddef.h>

#include "core/error.h"

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

int number_parse_u64(const char *text, uint64_t min, uint64_t max, uint64_t *value)
{
    uint64_t sum = 0;
    if (*text == '\0') {
        return ERR_SYNTAX;
    }
    int overflow = 0;
    for (; *text != '\0'; text++) {
        if (!is_digit(*text)) {
            return ERR_SYNTAX;
        }
        overflow |= __builtin_mul_overflow(sum, 10, &sum);
        overflow |= __builtin_add_overflow(sum, (uint64_t)(*text - '0'), &sum);
    }
    if (overflow || sum < min || sum > max) {
        return ERR_RANGE;
    }
    *value = sum;
    return 0;
}

int number_parse_decimal(const char *text, double min, double max, double *value)
{
    double sum = 0;
    double scale = 1;
    size_t digits = 0;
    int fraction = 0;
    for (; *text != '\0'; text++) {
        if (*text == '.' && !fraction) {
            fraction = 1;
            continue;
        }
        if (!is_digit(*text)) {
            return ERR_SYNTAX;
        }
        /* Past 2^53 or 10^18 more digits change nothing that a double can hold. */
        if (!fraction || scale < 1e18) {
            sum = sum * 10 + (*text - '0');
            scale *= fraction ? 10 : 1;
        }
        digits++;
    }
    if (digits == 0) {
        return ERR_SYNTAX;
    }
    sum /= scale;
    if (!(sum >= min && sum <= max)) {
        return ERR_RANGE;
    }
    *value = sum;
    return 0;
}
