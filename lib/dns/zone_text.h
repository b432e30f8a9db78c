/*
 * Master files (RFC 1035 5.1) as entries: comments, parentheses and line ends are gone, so that an
 * entry is one line of text. Pure over the file's octets, which must outlive the reader. One
 * thread.
 */
#ifndef DNS_ZONE_TEXT_H
#define DNS_ZONE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/attributes.h"
#include "core/diag.h"

struct zone_text {
    const char *file;
    const char *at;
    const char *end;
    unsigned line;
    char *buffer; /* the present entry */
    size_t room;
    size_t used;
    bool gap; /* blank space stands before the next character */
};

struct zone_entry {
    char *text;          /* words with one space between them; valid until the next entry */
    unsigned line;       /* where it begins */
    bool inherits_owner; /* it begins with blank space */
};

void zone_text_init(struct zone_text *text, const char *file, const char *octets, size_t size);
void zone_text_release(struct zone_text *text);

/* 1 and the next entry that is not empty, 0 at the end, ERR_SYNTAX or ERR_MEMORY with a diag. */
int zone_text_next(struct zone_text *text, struct zone_entry *entry, struct diag *diag) MUST_CHECK;

/* Cuts the first word off `*rest`; NULL when there is none. Quoted and escaped space belongs to
 * a word. */
char *zone_text_word(char **rest);

#endif
