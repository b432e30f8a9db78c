#include "sweep/zone_origin.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Fields before a record's type: owner, TTL and class. */
#define FIELDS_MAX 4

/* A piece of the text, not owned. */
struct span {
    const char *start;
    size_t length;
};

static bool span_is(struct span span, const char *word)
{
    return span.length == strlen(word) && strncasecmp(span.start, word, span.length) == 0;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next field of a line up to `end`; empty at the end and from a comment on. */
static struct span next_field(const char **at, const char *end)
{
    while (*at < end && is_blank(**at)) {
        (*at)++;
    }
    struct span field = {*at, 0};
    while (*at < end && !is_blank(**at) && **at != ';') {
        /* "\;" is a letter of the name. */
        *at += **at == '\\' && end - *at > 1 ? 2 : 1;
    }
    field.length = (size_t)(*at - field.start);
    return field;
}

/* An absolute name for one that is written relative to `origin`; NULL when it cannot be known. */
static char *make_absolute(struct span name, const char *origin)
{
    char *absolute = NULL;
    if (name.length > 0 && name.start[name.length - 1] == '.') {
        return strndup(name.start, name.length);
    }
    if (origin == NULL) {
        return NULL;
    }
    if (name.length == 0 || span_is(name, "@")) {
        return strdup(origin);
    }
    int length = asprintf(&absolute, "%.*s.%s", (int)name.length, name.start,
                          strcmp(origin, ".") == 0 ? "" : origin);
    return length < 0 ? NULL : absolute;
}

/* Whether the line is a SOA record; its owner is empty where the line begins with a blank. */
static bool is_soa(const char *line, const char *end, struct span *owner)
{
    const char *at = line;
    *owner = (struct span){line, 0};
    if (line < end && !is_blank(*line)) {
        *owner = next_field(&at, end);
    }
    for (int i = 0; i < FIELDS_MAX; i++) {
        struct span field = next_field(&at, end);
        if (field.length == 0) {
            return false;
        }
        if (span_is(field, "SOA")) {
            return true;
        }
    }
    return false;
}

char *zone_origin_find(const char *text, size_t size)
{
    const char *end = text + size;
    char *origin = NULL;
    char *found = NULL;
    for (const char *line = text; line < end;) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        const char *line_end = newline != NULL ? newline : end;
        const char *at = line;
        struct span owner;
        if (span_is(next_field(&at, line_end), "$ORIGIN")) {
            char *next = make_absolute(next_field(&at, line_end), origin);
            free(origin);
            origin = next;
        } else if (is_soa(line, line_end, &owner)) {
            found = make_absolute(owner, origin);
            break;
        }
        line = line_end + 1;
    }
    free(origin);
    return found;
}
