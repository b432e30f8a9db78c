/* The words of named.conf: strings, braces, semicolons; comments are passed over. Pure over the
 * file's octets, which must outlive the lexer; one thread. */
#ifndef RESOLVER_CONF_LEXER_H
#define RESOLVER_CONF_LEXER_H

#include <stddef.h>

#include "core/attributes.h"
#include "core/diag.h"

#define CONF_TEXT_SIZE 1024

enum conf_kind {
    CONF_END,
    CONF_WORD,
    CONF_QUOTED,
    CONF_OPEN,
    CONF_CLOSE,
    CONF_SEMICOLON,
};

struct conf_token {
    enum conf_kind kind;
    unsigned line;
    char text[CONF_TEXT_SIZE]; /* a word's or quoted string's content, else as it is written */
};

struct conf_lexer {
    const char *file;
    const char *at;
    const char *end;
    unsigned line;
};

void conf_lexer_init(struct conf_lexer *lexer, const char *file, const char *octets, size_t size);

/* 0 and the next token (CONF_END again and again at the end), or ERR_SYNTAX with a diag. */
int conf_lexer_next(struct conf_lexer *lexer, struct conf_token *token,
                    struct diag *diag) MUST_CHECK;

#endif
