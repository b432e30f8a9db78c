#include "dns/zone_text.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"

void zone_text_init(struct zone_text *text, const char *file, const char *octets, size_t size)
{
    *text = (struct zone_text){.file = file, .at = octets, .end = octets + size, .line = 1};
}

void zone_text_release(struct zone_text *text)
{
    free(text->buffer);
    *text = (struct zone_text){0};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* LF and CR LF end a line, and so does a lone CR outside comments, as for BIND. */
static bool is_line_end(const struct zone_text *text)
{
    if (*text->at == '\r') {
        return text->at + 1 == text->end || text->at[1] != '\n';
    }
    return *text->at == '\n';
}

/* An entry cannot outgrow what is left of the file, so that much room is enough for any. */
static int make_room(struct zone_text *text)
{
    size_t needed = (size_t)(text->end - text->at) + 2;
    if (needed <= text->room) {
        return 0;
    }
    free(text->buffer);
    text->buffer = malloc(needed);
    text->room = text->buffer == NULL ? 0 : needed;
    return text->buffer == NULL ? ERR_MEMORY : 0;
}

/* One space between words, none before the first or behind the last. */
static void put(struct zone_text *text, char c)
{
    if (text->gap && text->used > 0) {
        text->buffer[text->used++] = ' ';
    }
    text->gap = false;
    text->buffer[text->used++] = c;
}

/* Copies a backslash and the octet that it protects. */
static int copy_escape(struct zone_text *text, struct diag *diag)
{
    if (text->at + 1 == text->end || text->at[1] == '\n' || text->at[1] == '\0') {
        return diag_fail(diag, ERR_SYNTAX, text->file, text->line,
                         "unexpected end of line; a backslash needs a character behind it");
    }
    put(text, *text->at++);
    put(text, *text->at++);
    return 0;
}

/* Copies a quoted string with its quotes. */
static int copy_quoted(struct zone_text *text, struct diag *diag)
{
    put(text, *text->at++);
    while (text->at < text->end && *text->at != '\n' && *text->at != '\0') {
        char c = *text->at;
        if (c == '\\') {
            int status = copy_escape(text, diag);
            if (status != 0) {
                return status;
            }
            continue;
        }
        put(text, c);
        text->at++;
        if (c == '"') {
            return 0;
        }
    }
    return diag_fail(diag, ERR_SYNTAX, text->file, text->line,
                     "unbalanced quotes; a quoted string ends with \" on its own line");
}

static void skip_comment(struct zone_text *text)
{
    while (text->at < text->end && *text->at != '\n') {
        text->at++;
    }
}

/* Copies one character, escape, string or gap. `depth` counts open parentheses. */
static int copy_piece(struct zone_text *text, unsigned *depth, struct diag *diag)
{
    char c = *text->at;
    switch (c) {
    case '"':
        return copy_quoted(text, diag);
    case '\\':
        return copy_escape(text, diag);
    case '\0':
        return diag_fail(diag, ERR_SYNTAX, text->file, text->line,
                         "NUL octet; a master file is text (write \\000 for the octet 0)");
    case ';':
        skip_comment(text);
        return 0;
    case '(':
        ++*depth;
        break;
    case ')':
        if (*depth == 0) {
            return diag_fail(diag, ERR_SYNTAX, text->file, text->line,
                             "unbalanced parentheses; ')' without a '(' before it");
        }
        --*depth;
        break;
    case '\n':
        text->line++;
        break;
    default:
        if (!is_blank(c)) {
            put(text, c);
            text->at++;
            return 0;
        }
    }
    text->gap = true;
    text->at++;
    return 0;
}

/* Collects octets up to the line end that no parenthesis protects. */
static int collect(struct zone_text *text, unsigned first_line, struct diag *diag)
{
    unsigned depth = 0;
    text->used = 0;
    text->gap = false;
    while (text->at < text->end && (depth > 0 || !is_line_end(text))) {
        int status = copy_piece(text, &depth, diag);
        if (status != 0) {
            return status;
        }
    }
    if (depth > 0) {
        return diag_fail(diag, ERR_SYNTAX, text->file, first_line,
                         "unbalanced parentheses; the file ends before the ')' of this entry");
    }
    if (text->at < text->end) {
        text->at++;
        text->line++;
    }
    text->buffer[text->used] = '\0';
    return 0;
}

int zone_text_next(struct zone_text *text, struct zone_entry *entry, struct diag *diag)
{
    if (make_room(text) != 0) {
        return diag_fail(diag, ERR_MEMORY, text->file, text->line, "out of memory");
    }
    while (text->at < text->end) {
        entry->line = text->line;
        entry->inherits_owner = *text->at == ' ' || *text->at == '\t';
        int status = collect(text, entry->line, diag);
        if (status != 0) {
            return status;
        }
        if (text->used > 0) {
            entry->text = text->buffer;
            return 1;
        }
    }
    return 0;
}

char *zone_text_word(char **rest)
{
    char *word = *rest;
    if (*word == '\0') {
        return NULL;
    }
    bool quoted = false;
    char *at = word;
    for (; *at != '\0' && (quoted || *at != ' '); at++) {
        if (*at == '\\' && at[1] != '\0') {
            at++;
        } else if (*at == '"') {
            quoted = !quoted;
        }
    }
    *rest = *at == '\0' ? at : at + 1;
    *at = '\0';
    return word;
}
