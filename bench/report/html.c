#include "report/html.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The length of the UTF-8 sequence at `bytes`, 0 when there is none (RFC 3629, section 4). */
static size_t utf8_length(const unsigned char *bytes, size_t size)
{
    unsigned char first = bytes[0];
    size_t length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (length == 0 || first > 0xf4 || length > size) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    /* Overlong forms, surrogates, and what is above U+10FFFF differ in their second octet. */
    bool is_bad = (first == 0xe0 && bytes[1] < 0xa0) || (first == 0xed && bytes[1] > 0x9f) ||
                  (first == 0xf0 && bytes[1] < 0x90) || (first == 0xf4 && bytes[1] > 0x8f);
    return is_bad ? 0 : length;
}

static const char *escape_of(unsigned char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f ? "\xef\xbf\xbd" : NULL;
    }
}

void html_bytes(FILE *out, const char *text, size_t size)
{
    const unsigned char *bytes = (const unsigned char *)text;
    while (size > 0) {
        size_t length = utf8_length(bytes, size);
        const char *escape = length == 0 ? "\xef\xbf\xbd" : escape_of(bytes[0]);
        if (escape != NULL) {
            fputs(escape, out);
        } else {
            fwrite(bytes, 1, length, out);
        }
        length = length == 0 ? 1 : length;
        bytes += length;
        size -= length;
    }
}

void html_text(FILE *out, const char *text)
{
    html_bytes(out, text, strlen(text));
}

void html_element(FILE *out, const char *name, const char *text)
{
    fprintf(out, "<%s>", name);
    html_text(out, text);
    fprintf(out, "</%s>\n", name);
}
