#include "dns/zone_generate.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"

#define WIDTH_MAX 255 /* of no use beyond a name's length */

struct modifier {
    int64_t offset;
    unsigned width;
    char base;
};

struct output {
    char *at;
    size_t room; /* left, the NUL not counted */
};

/* Digits at `*text`, which moves behind them; false when there are none or the sum exceeds max. */
static bool read_number(const char **text, int64_t max, int64_t *value)
{
    const char *digits = *text;
    *value = 0;
    for (; **text >= '0' && **text <= '9'; ++*text) {
        *value = *value * 10 + (**text - '0');
        if (*value > max) {
            return false;
        }
    }
    return *text != digits;
}

static bool read_char(const char **text, char c)
{
    if (**text != c) {
        return false;
    }
    ++*text;
    return true;
}

int zone_generate_parse_range(const char *text, struct zone_generate_range *range)
{
    int64_t start;
    int64_t stop;
    int64_t step = 1;
    if (!read_number(&text, INT32_MAX, &start) || !read_char(&text, '-') ||
        !read_number(&text, INT32_MAX, &stop)) {
        return ERR_SYNTAX;
    }
    if (read_char(&text, '/') && !read_number(&text, INT32_MAX, &step)) {
        return ERR_SYNTAX;
    }
    if (*text != '\0' || stop < start || step == 0) {
        return ERR_SYNTAX;
    }
    *range = (struct zone_generate_range){(int32_t)start, (int32_t)stop, (int32_t)step};
    return 0;
}

/* Reads OFFSET[,WIDTH[,BASE]]} behind the opening brace. */
static bool read_modifier(const char **text, struct modifier *modifier)
{
    bool is_negative = read_char(text, '-');
    if (!is_negative) {
        (void)read_char(text, '+');
    }
    int64_t width = 0;
    if (!read_number(text, INT32_MAX, &modifier->offset)) {
        return false;
    }
    if (is_negative) {
        modifier->offset = -modifier->offset;
    }
    if (read_char(text, ',')) {
        if (!read_number(text, WIDTH_MAX, &width)) {
            return false;
        }
        if (read_char(text, ',')) {
            if (**text == '\0' || strchr("doxXnN", **text) == NULL) {
                return false;
            }
            modifier->base = *(*text)++;
        }
    }
    modifier->width = (unsigned)width;
    return read_char(text, '}');
}

/* Hexadecimal digits, the last first, with dots between, at least `width` characters. */
static int format_nibbles(char *text, uint32_t value, unsigned width, bool is_upper)
{
    const char *digits = is_upper ? "0123456789ABCDEF" : "0123456789abcdef";
    int length = 0;
    do {
        if (length > 0) {
            text[length++] = '.';
        }
        text[length++] = digits[value & 15u];
        value >>= 4;
    } while (value != 0 || (unsigned)length < width);
    return length;
}

static int format_number(const struct modifier *modifier, int32_t value, char text[WIDTH_MAX + 32])
{
    int width = (int)modifier->width;
    switch (modifier->base) {
    case 'o':
        return snprintf(text, WIDTH_MAX + 32, "%0*o", width, (unsigned)value);
    case 'x':
        return snprintf(text, WIDTH_MAX + 32, "%0*x", width, (unsigned)value);
    case 'X':
        return snprintf(text, WIDTH_MAX + 32, "%0*X", width, (unsigned)value);
    case 'n':
    case 'N':
        return format_nibbles(text, (uint32_t)value, modifier->width, modifier->base == 'N');
    default:
        return snprintf(text, WIDTH_MAX + 32, "%0*d", width, value);
    }
}

static int put(struct output *output, const char *text, size_t length)
{
    if (length > output->room) {
        return ERR_RANGE;
    }
    memcpy(output->at, text, length);
    output->at += length;
    output->room -= length;
    return 0;
}

/* Puts what a dollar sign stands for; `*pattern` is behind it. */
static int put_value(struct output *output, const char **pattern, int32_t value)
{
    struct modifier modifier = {.base = 'd'};
    if (read_char(pattern, '$')) {
        return put(output, "$", 1);
    }
    if (read_char(pattern, '{') && !read_modifier(pattern, &modifier)) {
        return ERR_SYNTAX;
    }
    int64_t sum = value + modifier.offset;
    if (sum > INT32_MAX || sum < INT32_MIN) {
        return ERR_RANGE;
    }
    char text[WIDTH_MAX + 32];
    int length = format_number(&modifier, (int32_t)sum, text);
    return put(output, text, (size_t)length);
}

int zone_generate_expand(const char *pattern, int32_t value, char *out, size_t room)
{
    struct output output = {.at = out, .room = room - 1};
    int status = 0;
    while (*pattern != '\0' && status == 0) {
        if (*pattern == '$') {
            pattern++;
            status = put_value(&output, &pattern, value);
            continue;
        }
        size_t length = *pattern == '\\' && pattern[1] != '\0' ? 2 : 1;
        status = put(&output, pattern, length);
        pattern += length;
    }
    *output.at = '\0';
    return status;
}
