#include "sweep/yaml_tree.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "core/check.h"
#include "core/error.h"

#define DEPTH_MAX 16

struct yaml_block {
    struct yaml_block *next;
    _Alignas(max_align_t) char data[];
};

/* What one parse carries around. */
struct reader {
    yaml_parser_t *parser;
    struct yaml_tree *tree;
    const char *source;
    bool has_lines;
    struct diag *diag;
};

static void *tree_alloc(struct yaml_tree *tree, size_t size)
{
    struct yaml_block *block = calloc(1, sizeof(*block) + size);
    if (block == NULL) {
        return NULL;
    }
    block->next = tree->blocks;
    tree->blocks = block;
    return block->data;
}

static char *tree_text(struct yaml_tree *tree, const char *text, size_t size)
{
    char *copy = tree_alloc(tree, size + 1);
    if (copy != NULL) {
        memcpy(copy, text, size);
    }
    return copy;
}

void yaml_tree_free(struct yaml_tree *tree)
{
    while (tree->blocks != NULL) {
        struct yaml_block *block = tree->blocks;
        tree->blocks = block->next;
        free(block);
    }
    tree->root = NULL;
}

static unsigned reader_line(const struct reader *reader, yaml_mark_t mark)
{
    return reader->has_lines ? (unsigned)mark.line + 1 : 0;
}

static int reader_fail(struct reader *reader, yaml_mark_t mark, const char *what)
{
    return diag_fail(reader->diag, ERR_SYNTAX, reader->source, reader_line(reader, mark), "%s",
                     what);
}

static int reader_no_memory(struct reader *reader)
{
    return diag_fail(reader->diag, ERR_MEMORY, reader->source, 0, "out of memory");
}

/* libyaml's own words, with the context that it was in. */
static int fail_not_yaml(struct reader *reader)
{
    const yaml_parser_t *parser = reader->parser;
    if (parser->error == YAML_MEMORY_ERROR) {
        return reader_no_memory(reader);
    }
    unsigned line = reader_line(reader, parser->problem_mark);
    const char *problem = parser->problem != NULL ? parser->problem : "cannot be read";
    if (parser->context != NULL && reader->has_lines) {
        return diag_fail(reader->diag, ERR_SYNTAX, reader->source, line,
                         "not YAML: %s (from line %zu on), %s", parser->context,
                         parser->context_mark.line + 1, problem);
    }
    return diag_fail(reader->diag, ERR_SYNTAX, reader->source, line, "not YAML: %s", problem);
}

/* On failure the event is empty, and deleting it does nothing. */
static int next_event(struct reader *reader, yaml_event_t *event)
{
    return yaml_parser_parse(reader->parser, event) ? 0 : fail_not_yaml(reader);
}

static struct yaml_node *new_node(struct yaml_tree *tree, enum yaml_kind kind, const char *source,
                                  unsigned line)
{
    struct yaml_node *node = tree_alloc(tree, sizeof(*node));
    if (node != NULL) {
        node->kind = kind;
        node->source = source;
        node->line = line;
    }
    return node;
}

static int read_node(struct reader *reader, yaml_event_t *event, int depth, struct yaml_node **out);

/* Takes the key out of its event; duplicates are refused, the second would win silently. */
static int read_key(struct reader *reader, yaml_event_t *event, const struct yaml_node *mapping,
                    char **key)
{
    if (event->type != YAML_SCALAR_EVENT) {
        return reader_fail(reader, event->start_mark, "a key must be plain text");
    }
    const char *text = (const char *)event->data.scalar.value;
    const struct yaml_node *earlier = yaml_node_get(mapping, text);
    if (earlier != NULL) {
        return diag_fail(reader->diag, ERR_SYNTAX, reader->source,
                         reader_line(reader, event->start_mark),
                         "key \"%s\" is already in line %u; keep one of them", text, earlier->line);
    }
    *key = tree_text(reader->tree, text, event->data.scalar.length);
    return *key != NULL ? 0 : reader_no_memory(reader);
}

static int read_child(struct reader *reader, yaml_event_t *event, struct yaml_node *parent,
                      int depth, struct yaml_node **child)
{
    if (parent->kind == YAML_SEQUENCE) {
        return read_node(reader, event, depth, child);
    }
    char *key = NULL;
    unsigned line = reader_line(reader, event->start_mark);
    yaml_event_t value;
    int status = read_key(reader, event, parent, &key);
    if (status == 0) {
        status = next_event(reader, &value);
    }
    if (status != 0) {
        return status;
    }
    status = read_node(reader, &value, depth, child);
    yaml_event_delete(&value);
    if (status == 0) {
        (*child)->key = key;
        (*child)->line = line;
    }
    return status;
}

/* The children of a sequence or a mapping, up to its end. */
static int read_children(struct reader *reader, struct yaml_node *parent, int depth)
{
    struct yaml_node **link = &parent->first_child;
    for (;;) {
        yaml_event_t event;
        int status = next_event(reader, &event);
        if (status != 0) {
            return status;
        }
        if (event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT) {
            yaml_event_delete(&event);
            return 0;
        }
        status = read_child(reader, &event, parent, depth + 1, link);
        yaml_event_delete(&event);
        if (status != 0) {
            return status;
        }
        link = &(*link)->next;
    }
}

static bool has_anchor(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        return true;
    case YAML_SCALAR_EVENT:
        return event->data.scalar.anchor != NULL;
    case YAML_SEQUENCE_START_EVENT:
        return event->data.sequence_start.anchor != NULL;
    case YAML_MAPPING_START_EVENT:
        return event->data.mapping_start.anchor != NULL;
    default:
        return false;
    }
}

static int read_text(struct reader *reader, const yaml_event_t *event, struct yaml_node *node)
{
    const char *text = (const char *)event->data.scalar.value;
    if (strlen(text) != event->data.scalar.length) {
        return reader_fail(reader, event->start_mark, "a NUL character is not allowed");
    }
    node->text = tree_text(reader->tree, text, event->data.scalar.length);
    return node->text != NULL ? 0 : reader_no_memory(reader);
}

static int read_node(struct reader *reader, yaml_event_t *event, int depth, struct yaml_node **out)
{
    if (depth > DEPTH_MAX) {
        return reader_fail(reader, event->start_mark, "nested too deep; 16 levels are the limit");
    }
    if (has_anchor(event)) {
        return reader_fail(reader, event->start_mark,
                           "anchors and aliases are not allowed; write the value out");
    }
    enum yaml_kind kind = event->type == YAML_SEQUENCE_START_EVENT  ? YAML_SEQUENCE
                          : event->type == YAML_MAPPING_START_EVENT ? YAML_MAPPING
                                                                    : YAML_TEXT;
    struct yaml_node *node =
        new_node(reader->tree, kind, reader->source, reader_line(reader, event->start_mark));
    if (node == NULL) {
        return reader_no_memory(reader);
    }
    *out = node;
    return kind == YAML_TEXT ? read_text(reader, event, node) : read_children(reader, node, depth);
}

/* One event of the stream that must be of the given type. */
static int expect(struct reader *reader, yaml_event_type_t type, const char *otherwise)
{
    yaml_event_t event;
    int status = next_event(reader, &event);
    if (status == 0 && event.type != type) {
        status = reader_fail(reader, event.start_mark, otherwise);
    }
    yaml_event_delete(&event);
    return status;
}

static int read_document(struct reader *reader, struct yaml_node **out)
{
    int status = expect(reader, YAML_STREAM_START_EVENT, "not YAML");
    if (status == 0) {
        status =
            expect(reader, YAML_DOCUMENT_START_EVENT,
                   "nothing but comments and blank lines; a group of keys is right, as name: x");
    }
    yaml_event_t event;
    if (status == 0) {
        status = next_event(reader, &event);
    }
    if (status != 0) {
        return status;
    }
    status = read_node(reader, &event, 0, out);
    yaml_event_delete(&event);
    if (status == 0) {
        status = expect(reader, YAML_DOCUMENT_END_EVENT, "not YAML");
    }
    return status != 0 ? status
                       : expect(reader, YAML_STREAM_END_EVENT, "a second document is not allowed");
}

/* Parses into a tree that exists already; `source` belongs to the tree or outlives it. */
static int parse_into(struct yaml_tree *tree, const char *text, size_t size, const char *source,
                      bool has_lines, struct yaml_node **out, struct diag *diag)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        return diag_fail(diag, ERR_MEMORY, source, 0, "out of memory");
    }
    /* A byte-order mark is allowed (YAML 1.2, 5.2), but libyaml skips it only where it guesses the
     * encoding, which is UTF-8 here. */
    size_t mark_bytes = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text + mark_bytes,
                                 size - mark_bytes);
    struct reader reader = {&parser, tree, source, has_lines, diag};
    int status = read_document(&reader, out);
    yaml_parser_delete(&parser);
    return status;
}

int yaml_tree_parse(struct yaml_tree *tree, const char *text, size_t size, const char *source,
                    struct diag *diag)
{
    *tree = (struct yaml_tree){0};
    int status;
    char *own_source = tree_text(tree, source, strlen(source));
    if (own_source == NULL) {
        status = diag_fail(diag, ERR_MEMORY, source, 0, "out of memory");
    } else {
        status = parse_into(tree, text, size, own_source, true, &tree->root, diag);
    }
    if (status != 0) {
        yaml_tree_free(tree);
    }
    return status;
}

/* A path that goes on below a value that has no keys. The first `before` characters of `source`
 * name that value. */
static int fail_no_keys(const struct yaml_node *node, int before, const char *source,
                        struct diag *diag)
{
    return diag_fail(diag, ERR_SYNTAX, source, 0,
                     "\"%s\" is %s here, without keys below it; set the whole of it with "
                     "%.*s=VALUE, whose forms dnscope-experiment(5) has",
                     node->key != NULL ? node->key : "the file",
                     node->kind == YAML_TEXT ? "a single value" : "a list", before, source);
}

/* Walks to the link that holds (or shall hold) the last key of the path, making mappings. */
static int find_link(struct yaml_tree *tree, char *path, const char *source,
                     struct yaml_node ***link, char **last_key, struct diag *diag)
{
    struct yaml_node *mapping = tree->root;
    for (char *key = path;;) {
        if (mapping->kind != YAML_MAPPING) {
            int before = (int)strlen("--set ") + (int)(key - path) - 1;
            return fail_no_keys(mapping, before, source, diag);
        }
        char *dot = strchr(key, '.');
        if (dot != NULL) {
            *dot = '\0';
        }
        *link = &mapping->first_child;
        while (**link != NULL && strcmp((**link)->key, key) != 0) {
            *link = &(**link)->next;
        }
        if (dot == NULL) {
            *last_key = key;
            return 0;
        }
        if (**link == NULL) {
            **link = new_node(tree, YAML_MAPPING, source, 0);
            if (**link == NULL) {
                return diag_fail(diag, ERR_MEMORY, source, 0, "out of memory");
            }
            (**link)->key = key;
        }
        mapping = **link;
        key = dot + 1;
    }
}

int yaml_tree_set(struct yaml_tree *tree, const char *assignment, struct diag *diag)
{
    size_t size = strlen("--set ") + strlen(assignment) + 1;
    char *source = tree_alloc(tree, size);
    char *path = tree_text(tree, assignment, strlen(assignment));
    if (source == NULL || path == NULL) {
        return diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
    }
    snprintf(source, size, "--set %s", assignment);
    char *equals = strchr(path, '=');
    if (equals == NULL || equals == path) {
        return diag_fail(diag, ERR_SYNTAX, source, 0, "must be KEY=VALUE, as load.duration_s=1");
    }
    *equals = '\0';
    struct yaml_node *value = NULL;
    struct yaml_node **link = NULL;
    char *key = NULL;
    const char *text = equals + 1;
    if (text[strspn(text, " \t")] == '\0') {
        text = "''"; /* an empty value, which to YAML would be no document */
    }
    int status = parse_into(tree, text, strlen(text), source, false, &value, diag);
    if (status == 0) {
        status = find_link(tree, path, source, &link, &key, diag);
    }
    if (status != 0) {
        return status;
    }
    CHECK(value != NULL);
    value->key = key;
    value->next = *link != NULL ? (*link)->next : NULL;
    *link = value;
    return 0;
}

const struct yaml_node *yaml_node_get(const struct yaml_node *mapping, const char *key)
{
    const struct yaml_node *child = mapping->first_child;
    while (child != NULL && (child->key == NULL || strcmp(child->key, key) != 0)) {
        child = child->next;
    }
    return child;
}

size_t yaml_node_count(const struct yaml_node *node)
{
    size_t count = 0;
    for (const struct yaml_node *child = node->first_child; child != NULL; child = child->next) {
        count++;
    }
    return count;
}

int yaml_node_fail(const struct yaml_node *node, struct diag *diag, int code, const char *format,
                   ...)
{
    char message[sizeof(diag->message)];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof(message), format, arguments);
    va_end(arguments);
    return diag_fail(diag, code, node->source, node->line, "%s", message);
}
