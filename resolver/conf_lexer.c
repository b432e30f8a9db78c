#include "conf_lexer.h"

#include <stdbool.h>
#include <stdio.h>

#include "core/error.h"

void conf_lexer_init(struct conf_lexer *lexer, const char *file, const char *octets, size_t size)
{
    *lexer = (struct conf_lexer){.file = file, .at = octets, .end = octets + size, .line = 1};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_delimiter(char c)
{
    return is_blank(c) || c == '{' || c == '}' || c == ';' || c == '"';
}

/* Whether the text goes on with the two characters. */
static bool is_pair(const struct conf_lexer *lexer, const char *pair)
{
    return lexer->end - lexer->at >= 2 && lexer->at[0] == pair[0] && lexer->at[1] == pair[1];
}

static void advance(struct conf_lexer *lexer)
{
    lexer->line += *lexer->at == '\n';
    lexer->at++;
}

static void skip_line(struct conf_lexer *lexer)
{
    while (lexer->at < lexer->end && *lexer->at != '\n') {
        lexer->at++;
    }
}

static int skip_block_comment(struct conf_lexer *lexer, struct diag *diag)
{
    unsigned first_line = lexer->line;
    lexer->at += 2;
    while (lexer->at < lexer->end && !is_pair(lexer, "*/")) {
        advance(lexer);
    }
    if (lexer->at == lexer->end) {
        return diag_fail(diag, ERR_SYNTAX, lexer->file, first_line,
                         "comment without end; a /* needs a */");
    }
    lexer->at += 2;
    return 0;
}

static int skip_gaps(struct conf_lexer *lexer, struct diag *diag)
{
    while (lexer->at < lexer->end) {
        if (is_blank(*lexer->at)) {
            advance(lexer);
        } else if (*lexer->at == '#' || is_pair(lexer, "//")) {
            skip_line(lexer);
        } else if (is_pair(lexer, "/*")) {
            int status = skip_block_comment(lexer, diag);
            if (status != 0) {
                return status;
            }
        } else {
            break;
        }
    }
    return 0;
}

static int put(struct conf_lexer *lexer, struct conf_token *token, size_t *used, struct diag *diag)
{
    if (*used + 1 == sizeof(token->text)) {
        return diag_fail(diag, ERR_SYNTAX, lexer->file, token->line,
                         "word too long; %d characters at most", CONF_TEXT_SIZE - 1);
    }
    token->text[(*used)++] = *lexer->at;
    advance(lexer);
    return 0;
}

static int lex_quoted(struct conf_lexer *lexer, struct conf_token *token, struct diag *diag)
{
    size_t used = 0;
    token->kind = CONF_QUOTED;
    lexer->at++;
    while (lexer->at < lexer->end && *lexer->at != '"' && *lexer->at != '\n') {
        if (*lexer->at == '\\' && lexer->end - lexer->at >= 2 && lexer->at[1] != '\n') {
            lexer->at++;
        }
        int status = put(lexer, token, &used, diag);
        if (status != 0) {
            return status;
        }
    }
    if (lexer->at == lexer->end || *lexer->at != '"') {
        return diag_fail(diag, ERR_SYNTAX, lexer->file, token->line,
                         "unbalanced quotes; a quoted string ends with \" on its own line");
    }
    lexer->at++;
    token->text[used] = '\0';
    return 0;
}

static int lex_word(struct conf_lexer *lexer, struct conf_token *token, struct diag *diag)
{
    size_t used = 0;
    token->kind = CONF_WORD;
    while (lexer->at < lexer->end && !is_delimiter(*lexer->at) && !is_pair(lexer, "/*") &&
           !is_pair(lexer, "//")) {
        int status = put(lexer, token, &used, diag);
        if (status != 0) {
            return status;
        }
    }
    token->text[used] = '\0';
    return 0;
}

int conf_lexer_next(struct conf_lexer *lexer, struct conf_token *token, struct diag *diag)
{
    int status = skip_gaps(lexer, diag);
    if (status != 0) {
        return status;
    }
    token->line = lexer->line;
    snprintf(token->text, sizeof(token->text), "end of file");
    token->kind = CONF_END;
    if (lexer->at == lexer->end) {
        return 0;
    }
    char c = *lexer->at;
    if (c == '"') {
        return lex_quoted(lexer, token, diag);
    }
    if (c != '{' && c != '}' && c != ';') {
        return lex_word(lexer, token, diag);
    }
    token->kind = c == '{' ? CONF_OPEN : c == '}' ? CONF_CLOSE : CONF_SEMICOLON;
    token->text[0] = c;
    token->text[1] = '\0';
    lexer->at++;
    return 0;
}
