#include "named_conf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "conf_lexer.h"
#include "core/error.h"
#include "core/file.h"
#include "core/number.h"

#define INCLUDE_DEPTH_MAX 10

/* The clauses of the zone statement that is being read. */
struct zone_clauses {
    char type[CONF_TEXT_SIZE];
    char file[CONF_TEXT_SIZE];
};

struct parser {
    struct conf_lexer lexer;
    struct conf_token token; /* the last one taken */
    struct conf_warning_sink sink;
    struct config *config;
    struct diag *diag;
    struct zone_clauses *zone; /* NULL outside a zone statement */
    unsigned depth;
    bool has_options; /* there was an options statement */
};

/* A statement that is implemented. The keyword was taken; the handler takes all up to its ';'. */
struct statement {
    const char *keyword;
    int (*read)(struct parser *parser);
};

/* What is wrong with the present token; a macro so that the compiler checks format and values. */
#define fail(parser, ...)                                                                          \
    diag_fail((parser)->diag, ERR_SYNTAX, (parser)->lexer.file, (parser)->token.line, __VA_ARGS__)

static int next(struct parser *parser)
{
    return conf_lexer_next(&parser->lexer, &parser->token, parser->diag);
}

static int expect(struct parser *parser, enum conf_kind kind, const char *what)
{
    int status = next(parser);
    if (status == 0 && parser->token.kind != kind) {
        status = fail(parser, "expected %s, not '%s'", what, parser->token.text);
    }
    return status;
}

/* Takes a word or quoted string, which is then the present token. */
static int expect_text(struct parser *parser, const char *what)
{
    int status = next(parser);
    if (status == 0 && parser->token.kind != CONF_WORD && parser->token.kind != CONF_QUOTED) {
        status = fail(parser, "expected %s, not '%s'", what, parser->token.text);
    }
    return status;
}

static int expect_end(struct parser *parser)
{
    return expect(parser, CONF_SEMICOLON, "';'");
}

/* Takes the rest of a statement, braces and all. */
static int skip_statement(struct parser *parser)
{
    unsigned depth = 0;
    for (;;) {
        int status = next(parser);
        if (status != 0) {
            return status;
        }
        switch (parser->token.kind) {
        case CONF_OPEN:
            depth++;
            break;
        case CONF_CLOSE:
            if (depth == 0) {
                return fail(parser, "expected ';' before '}'");
            }
            depth--;
            break;
        case CONF_SEMICOLON:
            if (depth == 0) {
                return 0;
            }
            break;
        case CONF_END:
            return fail(parser, "unexpected end of file; expected %s", depth > 0 ? "'}'" : "';'");
        default:
            break;
        }
    }
}

static void warn(struct parser *parser, unsigned line, const char *text)
{
    parser->sink.warn(parser->sink.context, parser->lexer.file, line, text);
}

static int skip_unknown(struct parser *parser)
{
    char text[CONF_TEXT_SIZE + 64];
    snprintf(text, sizeof(text), "statement '%s' is not implemented; ignored", parser->token.text);
    unsigned line = parser->token.line;
    int status = skip_statement(parser);
    if (status == 0) {
        warn(parser, line, text);
    }
    return status;
}

/* Reads statements up to `end`, which is taken. */
static int read_statements(struct parser *parser, const struct statement *statements,
                           enum conf_kind end)
{
    for (;;) {
        int status = next(parser);
        if (status != 0 || parser->token.kind == end) {
            return status;
        }
        if (parser->token.kind == CONF_END) {
            return fail(parser, "unexpected end of file; expected '}'");
        }
        if (parser->token.kind != CONF_WORD) {
            return fail(parser, "expected a statement, not '%s'", parser->token.text);
        }
        const struct statement *at = statements;
        while (at->keyword != NULL && strcasecmp(at->keyword, parser->token.text) != 0) {
            at++;
        }
        status = at->keyword == NULL ? skip_unknown(parser) : at->read(parser);
        if (status != 0) {
            return status;
        }
    }
}

static int fail_memory(struct parser *parser)
{
    return diag_fail(parser->diag, ERR_MEMORY, parser->lexer.file, parser->token.line,
                     "out of memory");
}

static int read_directory(struct parser *parser)
{
    int status = expect_text(parser, "a folder");
    if (status != 0) {
        return status;
    }
    if (parser->config->directory != NULL) {
        return fail(parser, "'directory' is there twice; name it once");
    }
    parser->config->directory_line = parser->token.line;
    parser->config->directory = strdup(parser->token.text);
    if (parser->config->directory == NULL) {
        return fail_memory(parser);
    }
    return expect_end(parser);
}

static int read_port_number(struct parser *parser, uint16_t *port)
{
    uint64_t number = 0;
    int status = expect_text(parser, "a port number");
    if (status == 0 && number_parse_u64(parser->token.text, 1, UINT16_MAX, &number) != 0) {
        return fail(parser, "port '%s' is not a whole number from 1 to 65535", parser->token.text);
    }
    *port = (uint16_t)number;
    return status;
}

/* The port of addresses that name none. */
static int read_default_port(struct parser *parser)
{
    if (parser->config->port != 0) {
        return fail(parser, "'port' is there twice; name it once");
    }
    int status = read_port_number(parser, &parser->config->port);
    return status == 0 ? expect_end(parser) : status;
}

/* [port N] in front of the addresses. */
static int read_port(struct parser *parser, uint16_t *port)
{
    int status = next(parser);
    while (status == 0 && parser->token.kind == CONF_WORD &&
           strcasecmp(parser->token.text, "port") == 0) {
        status = read_port_number(parser, port);
        if (status == 0) {
            status = next(parser);
        }
    }
    if (status == 0 && parser->token.kind != CONF_OPEN) {
        status = fail(parser, "expected '{' or port, not '%s'", parser->token.text);
    }
    return status;
}

static int read_addresses(struct parser *parser, bool is_ipv6)
{
    struct config_listen listen = {.is_ipv6 = is_ipv6};
    int status = read_port(parser, &listen.port);
    while (status == 0) {
        status = next(parser);
        if (status != 0 || parser->token.kind == CONF_CLOSE) {
            break;
        }
        if (parser->token.kind != CONF_WORD && parser->token.kind != CONF_QUOTED) {
            return fail(parser, "expected an address or '}', not '%s'", parser->token.text);
        }
        listen.address = parser->token.text;
        listen.line = parser->token.line;
        status = config_add_listen(parser->config, &listen, parser->diag);
        if (status == 0) {
            status = expect_end(parser);
        }
    }
    return status == 0 ? expect_end(parser) : status;
}

static int read_listen_on(struct parser *parser)
{
    return read_addresses(parser, false);
}

static int read_listen_on_v6(struct parser *parser)
{
    return read_addresses(parser, true);
}

/* A boolean that this server is set to for good: silence when it asks for that. */
static int read_fixed_boolean(struct parser *parser, const char *keyword, bool fixed)
{
    static const char *const yes[] = {"yes", "true", "1"};
    static const char *const no[] = {"no", "false", "0"};
    const char *const *accepted = fixed ? yes : no;
    unsigned line = parser->token.line;
    int status = expect_text(parser, "yes or no");
    if (status != 0) {
        return status;
    }
    bool same = false;
    for (size_t i = 0; i < ARRAY_LENGTH(yes); i++) {
        same = same || strcasecmp(parser->token.text, accepted[i]) == 0;
    }
    status = expect_end(parser);
    if (status == 0 && !same) {
        char text[128];
        snprintf(text, sizeof(text), "only '%s %s' is implemented; taken as that", keyword,
                 fixed ? "yes" : "no");
        warn(parser, line, text);
    }
    return status;
}

static int read_recursion(struct parser *parser)
{
    return read_fixed_boolean(parser, "recursion", false);
}

static int read_minimal_responses(struct parser *parser)
{
    return read_fixed_boolean(parser, "minimal-responses", true);
}

static int read_options(struct parser *parser)
{
    static const struct statement statements[] = {
        {"directory", read_directory},
        {"listen-on", read_listen_on},
        {"listen-on-v6", read_listen_on_v6},
        {"minimal-responses", read_minimal_responses},
        {"port", read_default_port},
        {"recursion", read_recursion},
        {NULL, NULL},
    };
    if (parser->has_options) {
        return fail(parser, "'options' is there twice; put all of it into one");
    }
    parser->has_options = true;
    int status = expect(parser, CONF_OPEN, "'{'");
    if (status == 0) {
        status = read_statements(parser, statements, CONF_CLOSE);
    }
    return status == 0 ? expect_end(parser) : status;
}

static int read_clause(struct parser *parser, char clause[CONF_TEXT_SIZE], const char *what)
{
    if (clause[0] != '\0') {
        return fail(parser, "%s is there twice in this zone; name it once", what);
    }
    int status = expect_text(parser, what);
    if (status == 0) {
        snprintf(clause, CONF_TEXT_SIZE, "%s", parser->token.text);
        status = expect_end(parser);
    }
    return status;
}

static int read_zone_type(struct parser *parser)
{
    return read_clause(parser, parser->zone->type, "a zone type");
}

static int read_zone_file(struct parser *parser)
{
    return read_clause(parser, parser->zone->file, "a file name");
}

/* The types that named has, of which only primary is served. */
static bool is_zone_type(const char *type)
{
    static const char *const types[] = {
        "secondary", "slave",    "mirror",          "stub", "static-stub", "hint",
        "forward",   "redirect", "delegation-only",
    };
    for (size_t i = 0; i < ARRAY_LENGTH(types); i++) {
        if (strcasecmp(types[i], type) == 0) {
            return true;
        }
    }
    return false;
}

/* Takes in the zone that was read, or says why not. */
static int finish_zone(struct parser *parser, const char *name, unsigned line)
{
    const struct zone_clauses *zone = parser->zone;
    const char *file = parser->lexer.file;
    int status = config_check_origin("", name, file, line, parser->diag);
    if (status != 0) {
        return status;
    }
    if (zone->type[0] == '\0') {
        return diag_fail(parser->diag, ERR_SYNTAX, file, line,
                         "zone '%s': 'type' is missing; write type primary;", name);
    }
    if (strcasecmp(zone->type, "primary") != 0 && strcasecmp(zone->type, "master") != 0) {
        if (!is_zone_type(zone->type)) {
            return diag_fail(parser->diag, ERR_SYNTAX, file, line,
                             "zone '%s': there is no type '%s'; write type primary;", name,
                             zone->type);
        }
        char text[2 * CONF_TEXT_SIZE + 128];
        snprintf(text, sizeof(text), "zone '%s': type '%s' is not implemented; ignored", name,
                 zone->type);
        warn(parser, line, text);
        return 0;
    }
    if (zone->file[0] == '\0') {
        return diag_fail(parser->diag, ERR_SYNTAX, file, line,
                         "zone '%s': 'file' is missing; a primary zone needs file \"...\";", name);
    }
    return config_add_zone(parser->config, name, zone->file, line, parser->diag);
}

/* What may stand between a zone's name and its clauses: class IN. */
static int read_zone_class(struct parser *parser, const char *name)
{
    int status = next(parser);
    if (status == 0 && parser->token.kind == CONF_WORD) {
        if (strcasecmp(parser->token.text, "IN") != 0) {
            return fail(parser, "zone '%s': class '%s' is not served; only IN is", name,
                        parser->token.text);
        }
        status = next(parser);
    }
    if (status == 0 && parser->token.kind != CONF_OPEN) {
        status = fail(parser, "expected '{', not '%s'", parser->token.text);
    }
    return status;
}

static int read_zone(struct parser *parser)
{
    static const struct statement statements[] = {
        {"type", read_zone_type},
        {"file", read_zone_file},
        {NULL, NULL},
    };
    struct zone_clauses clauses = {"", ""};
    char name[CONF_TEXT_SIZE];
    unsigned line = parser->token.line;
    int status = expect_text(parser, "a zone name");
    if (status != 0) {
        return status;
    }
    snprintf(name, sizeof(name), "%s", parser->token.text);
    status = read_zone_class(parser, name);
    if (status == 0) {
        parser->zone = &clauses;
        status = read_statements(parser, statements, CONF_CLOSE);
    }
    if (status == 0) {
        status = expect_end(parser);
    }
    if (status == 0) {
        status = finish_zone(parser, name, line);
    }
    parser->zone = NULL;
    return status;
}

static int read_file(struct parser *parser, const char *path);

static int read_include(struct parser *parser)
{
    char path[CONF_TEXT_SIZE];
    int status = expect_text(parser, "a file name");
    if (status != 0) {
        return status;
    }
    if (parser->depth == INCLUDE_DEPTH_MAX) {
        return fail(parser, "files include each other more than %d deep", INCLUDE_DEPTH_MAX);
    }
    snprintf(path, sizeof(path), "%s", parser->token.text);
    unsigned line = parser->token.line;
    status = expect_end(parser);
    if (status == 0 && access(path, R_OK) != 0) {
        /* The place to mend is the line that names the file. */
        status = diag_fail(parser->diag, ERR_SYSTEM, parser->lexer.file, line,
                           "include of '%s', which cannot be read: %s", path, strerror(errno));
    }
    if (status == 0) {
        struct conf_lexer outer = parser->lexer;
        status = read_file(parser, path);
        parser->lexer = outer;
    }
    return status;
}

static int read_file(struct parser *parser, const char *path)
{
    static const struct statement statements[] = {
        {"options", read_options},
        {"zone", read_zone},
        {"include", read_include},
        {NULL, NULL},
    };
    struct bytes octets;
    int status = file_read_all(path, &octets, parser->diag);
    if (status != 0) {
        return status;
    }
    conf_lexer_init(&parser->lexer, path, octets.data, octets.size);
    parser->depth++;
    status = read_statements(parser, statements, CONF_END);
    parser->depth--;
    bytes_free(&octets);
    return status;
}

int named_conf_read(const char *path, const struct conf_warning_sink *sink, struct config *config,
                    struct diag *diag)
{
    struct parser *parser = calloc(1, sizeof(*parser));
    *config = (struct config){.path = strdup(path)};
    if (parser == NULL || config->path == NULL) {
        free(parser);
        return diag_fail(diag, ERR_MEMORY, path, 0, "out of memory");
    }
    parser->sink = *sink;
    parser->config = config;
    parser->diag = diag;
    int status = read_file(parser, path);
    free(parser);
    return status;
}
