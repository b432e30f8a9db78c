#include "dns/query_file.h"

#include <string.h>
#include <strings.h>

#include "core/error.h"
#include "core/file.h"
#include "dns/name_text.h"
#include "dns/protocol.h"
#include "dns/rr_type.h"

/* U+FEFF in UTF-8, which would become part of the first name. */
#define BYTE_ORDER_MARK "\357\273\277"

/* How much of a word a message quotes. */
#define QUOTE_MAX 60

struct word {
    const char *text;
    size_t length;
};

/* One reading of a file. */
struct reader {
    const struct query_file_options *options;
    struct query_set *set;
    struct query_file_counts *counts;
    struct diag *diag;
    unsigned line_number;
};

static int quote_length(struct word word)
{
    return (int)(word.length < QUOTE_MAX ? word.length : QUOTE_MAX);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The first word of `line`, which loses it and the blanks before it. */
static struct word take_word(struct word *line)
{
    while (line->length > 0 && is_blank(line->text[0])) {
        line->text++;
        line->length--;
    }
    struct word word = {.text = line->text};
    while (word.length < line->length && !is_blank(word.text[word.length])) {
        word.length++;
    }
    line->text += word.length;
    line->length -= word.length;
    return word;
}

static bool is_directive(struct word line)
{
    static const char *const directives[] = {"#server", "#port", "#maxwait"};
    struct word first = take_word(&line);
    for (size_t i = 0; i < ARRAY_LENGTH(directives); i++) {
        if (first.length == strlen(directives[i]) &&
            strncasecmp(first.text, directives[i], first.length) == 0) {
            return true;
        }
    }
    return false;
}

static void warn(const struct reader *reader, const char *message)
{
    if (reader->options->warn != NULL) {
        reader->options->warn(reader->options->context, message);
    }
}

static void note_directive(struct reader *reader)
{
    if (reader->counts->directives++ == 0) {
        struct diag note = {0};
        diag_fail(&note, ERR_UNSUPPORTED, reader->options->name, reader->line_number,
                  "queryperf's directives #server, #port and #maxwait are ignored; the options -s, "
                  "-p and -t say the same");
        warn(reader, note.message);
    }
}

/* Reads `NAME TYPE` into `wire` and `type`, or says what is wrong with it. */
static int parse_query(const struct reader *reader, struct word line, uint8_t *wire,
                       size_t *wire_size, uint16_t *type, struct diag *diag)
{
    const char *file = reader->options->name;
    unsigned number = reader->line_number;
    if (is_blank(line.text[0])) {
        return diag_fail(diag, ERR_SYNTAX, file, number, "the name must begin in column 1");
    }
    struct word name = take_word(&line);
    struct word type_name = take_word(&line);
    if (type_name.length == 0) {
        return diag_fail(diag, ERR_SYNTAX, file, number,
                         "no type after \"%.*s\"; NAME TYPE is right, as in \"www.example.com A\"",
                         quote_length(name), name.text);
    }
    enum name_text_error problem = name_text_to_wire(name.text, name.length, wire, wire_size);
    if (problem != NAME_TEXT_OK) {
        return diag_fail(diag, ERR_SYNTAX, file, number, "name \"%.*s\": %s", quote_length(name),
                         name.text, name_text_problem(problem));
    }
    if (rr_type_parse(type_name.text, type_name.length, type) != 0) {
        return diag_fail(diag, ERR_SYNTAX, file, number,
                         "unknown type \"%.*s\"; a mnemonic such as AAAA is right, or TYPEn with n "
                         "from 0 to 65535",
                         quote_length(type_name), type_name.text);
    }
    return 0;
}

static int add_query(struct reader *reader, struct word line, const uint8_t *wire, size_t wire_size,
                     uint16_t type)
{
    int status = query_set_add(reader->set, wire, wire_size, type, DNS_CLASS_IN);
    if (status == 0 && reader->options->keep_lines) {
        status = query_set_add_line(reader->set, line.text, line.length);
    }
    if (status == 0) {
        reader->counts->valid++;
        return 0;
    }
    return diag_fail(reader->diag, status, reader->options->name, reader->line_number,
                     "%s; at most 4 GiB of queries fit", error_string(status));
}

static int read_query(struct reader *reader, struct word line)
{
    uint8_t wire[DNS_NAME_MAX_BYTES];
    size_t wire_size = 0;
    uint16_t type = 0;
    struct diag problem = {0};
    int status = parse_query(reader, line, wire, &wire_size, &type, &problem);
    if (status == 0) {
        return add_query(reader, line, wire, wire_size, type);
    }
    if (!reader->options->skip_invalid) {
        *reader->diag = problem;
        return status;
    }
    reader->counts->invalid++;
    warn(reader, problem.message);
    return 0;
}

static bool is_empty(struct word line)
{
    return take_word(&line).length == 0;
}

static int read_line(struct reader *reader, struct word line)
{
    reader->line_number++;
    if (line.length > 0 && line.text[line.length - 1] == '\r') {
        line.length--;
    }
    if (is_empty(line) || line.text[0] == ';') {
        return 0;
    }
    if (is_directive(line)) {
        note_directive(reader);
        return 0;
    }
    return read_query(reader, line);
}

int query_file_parse(const char *text, size_t size, const struct query_file_options *options,
                     struct query_set *set, struct query_file_counts *counts, struct diag *diag)
{
    struct reader reader = {.options = options, .set = set, .counts = counts, .diag = diag};
    *counts = (struct query_file_counts){0};
    if (size >= strlen(BYTE_ORDER_MARK) &&
        memcmp(text, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK)) == 0) {
        return diag_fail(diag, ERR_SYNTAX, options->name, 1,
                         "the file begins with a byte-order mark; text without one is right");
    }
    while (size > 0) {
        const char *newline = memchr(text, '\n', size);
        size_t length = newline == NULL ? size : (size_t)(newline - text);
        int status = read_line(&reader, (struct word){.text = text, .length = length});
        if (status != 0) {
            return status;
        }
        size_t passed = newline == NULL ? length : length + 1;
        text += passed;
        size -= passed;
    }
    if (counts->valid == 0) {
        return diag_fail(diag, ERR_SYNTAX, options->name, 0,
                         "no valid query; a line such as \"www.example.com A\" is right");
    }
    return 0;
}

int query_file_load(const char *path, const struct query_file_options *options,
                    struct query_set *set, struct query_file_counts *counts, struct diag *diag)
{
    struct query_file_options named = *options;
    named.name = strcmp(path, "-") == 0 ? "(standard input)" : path;
    struct bytes text;
    int status = file_read_all(path, &text, diag);
    if (status != 0) {
        return status;
    }
    status = query_file_parse(text.data, text.size, &named, set, counts, diag);
    if (status == 0 && options->keep_lines) {
        set->text = text;
    } else {
        bytes_free(&text);
    }
    return status;
}
