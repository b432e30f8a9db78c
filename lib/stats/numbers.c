#include "stats/numbers.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

/* The longest text that can be a number; also what a diagnosis shows of one that is not. */
#define FIELD_SIZE 64

const struct numbers_format numbers_default_format = {.column = 1, .delimiters = " \t"};

/* A piece of the text, without a NUL at its end. */
struct field {
    const char *start;
    size_t length;
};

static bool is_delimiter(const struct numbers_format *format, char c)
{
    return c != '\0' && strchr(format->delimiters, c) != NULL;
}

/* The field of the format's column; false when the line ends or a comment begins before it. */
static bool find_field(const char *line, const char *end, const struct numbers_format *format,
                       struct field *field)
{
    for (unsigned column = 1;; column++) {
        while (line < end && is_delimiter(format, *line)) {
            line++;
        }
        if (line == end || *line == '#') {
            return false;
        }
        field->start = line;
        while (line < end && !is_delimiter(format, *line)) {
            line++;
        }
        if (column == format->column) {
            field->length = (size_t)(line - field->start);
            return true;
        }
    }
}

static bool has_decimal_comma(const char *text)
{
    size_t digits = strspn(text, "+-0123456789");
    return digits > 0 && text[digits] == ',' && isdigit((unsigned char)text[digits + 1]);
}

static int fail_not_a_number(const char *text, const char *file, unsigned line, struct diag *diag)
{
    if (line == 1 && strncmp(text, "\xef\xbb\xbf", 3) == 0) {
        return diag_fail(diag, ERR_SYNTAX, file, line,
                         "the file begins with a byte-order mark; save it without one");
    }
    if (has_decimal_comma(text)) {
        return diag_fail(diag, ERR_SYNTAX, file, line,
                         "\"%s\" has a decimal comma; write a decimal point", text);
    }
    return diag_fail(diag, ERR_SYNTAX, file, line,
                     "\"%s\" is not a number; one number a line is right, # begins a comment",
                     text);
}

static int parse_field(const struct field *field, const char *file, unsigned line, double *value,
                       struct diag *diag)
{
    char text[FIELD_SIZE];
    size_t length = field->length < FIELD_SIZE ? field->length : FIELD_SIZE - 1;
    memcpy(text, field->start, length);
    text[length] = '\0';
    char *end = text;
    *value = strtod(text, &end);
    if (end == text || (size_t)(end - text) != field->length || strpbrk(text, "xX") != NULL) {
        return fail_not_a_number(text, file, line, diag);
    }
    if (!isfinite(*value) || fabs(*value) > NUMBERS_MAGNITUDE_MAX) {
        return diag_fail(diag, ERR_RANGE, file, line,
                         "\"%s\" cannot be compared; a number of at most %g is right", text,
                         NUMBERS_MAGNITUDE_MAX);
    }
    return 0;
}

static int add_line(struct numbers *numbers, const char *start, const char *end,
                    const struct numbers_format *format, const char *file, unsigned line,
                    struct diag *diag)
{
    while (end > start && isspace((unsigned char)end[-1])) {
        end--;
    }
    struct field field;
    if (!find_field(start, end, format, &field)) {
        return 0;
    }
    return parse_field(&field, file, line, &numbers->values[numbers->count++], diag);
}

static size_t count_lines(const char *text, size_t size)
{
    size_t lines = 1;
    for (size_t i = 0; i < size; i++) {
        lines += text[i] == '\n';
    }
    return lines;
}

int numbers_parse(const char *text, size_t size, const struct numbers_format *format,
                  const char *file, struct numbers *numbers, struct diag *diag)
{
    *numbers = (struct numbers){.values = calloc(count_lines(text, size), sizeof(double))};
    if (numbers->values == NULL) {
        return diag_fail(diag, ERR_MEMORY, file, 0, "too many lines for this machine's memory");
    }
    const char *end = text + size;
    unsigned line = 1;
    for (const char *start = text; start < end; line++) {
        const char *newline = memchr(start, '\n', (size_t)(end - start));
        const char *line_end = newline != NULL ? newline : end;
        int status = add_line(numbers, start, line_end, format, file, line, diag);
        if (status != 0) {
            numbers_free(numbers);
            return status;
        }
        start = newline != NULL ? newline + 1 : end;
    }
    return 0;
}

void numbers_free(struct numbers *numbers)
{
    free(numbers->values);
    *numbers = (struct numbers){0};
}
