#include "sweep/schema.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/nearest.h"
#include "core/number.h"

#define FIELDS_MAX 32

static const char *kind_text(enum yaml_kind kind)
{
    static const char *const text[] = {
        [YAML_TEXT] = "a single value",
        [YAML_SEQUENCE] = "a list",
        [YAML_MAPPING] = "a group of keys",
    };
    return text[kind];
}

int schema_expect(const struct yaml_node *node, enum yaml_kind kind, const char *key,
                  struct diag *diag)
{
    if (node->kind == kind) {
        return 0;
    }
    return yaml_node_fail(node, diag, ERR_SYNTAX, "\"%s\" must be %s, not %s", key, kind_text(kind),
                          kind_text(node->kind));
}

/* "a, b or c" */
static void join_words(const char *const *words, size_t count, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count && used < size; i++) {
        const char *glue = i == 0 ? "" : i + 1 == count ? " or " : ", ";
        int length = snprintf(text + used, size - used, "%s%s", glue, words[i]);
        used += length > 0 ? (size_t)length : 0;
    }
}

static int fail_unknown_key(const struct yaml_node *node, const struct field *fields,
                            struct diag *diag)
{
    const char *keys[FIELDS_MAX];
    size_t count = 0;
    for (; fields[count].key != NULL && count < FIELDS_MAX; count++) {
        keys[count] = fields[count].key;
    }
    int nearest = word_nearest(node->key, keys, count);
    if (nearest >= 0) {
        return yaml_node_fail(node, diag, ERR_SYNTAX, "unknown key \"%s\"; did you mean \"%s\"?",
                              node->key, keys[nearest]);
    }
    char all[512];
    join_words(keys, count, all, sizeof(all));
    return yaml_node_fail(node, diag, ERR_SYNTAX, "unknown key \"%s\"; there can be %s", node->key,
                          all);
}

static const struct field *find_field(const struct field *fields, const char *key)
{
    for (; fields->key != NULL; fields++) {
        if (strcmp(fields->key, key) == 0) {
            return fields;
        }
    }
    return NULL;
}

int schema_read(const struct yaml_node *mapping, const struct field *fields, void *out,
                struct diag *diag)
{
    const struct yaml_node *node = mapping->first_child;
    for (; node != NULL; node = node->next) {
        const struct field *field = find_field(fields, node->key);
        if (field == NULL) {
            return fail_unknown_key(node, fields, diag);
        }
        int status = field->read(node, field, (char *)out + field->offset, diag);
        if (status != 0) {
            return status;
        }
    }
    for (; fields->key != NULL; fields++) {
        if (fields->required && yaml_node_get(mapping, fields->key) == NULL) {
            return yaml_node_fail(mapping, diag, ERR_SYNTAX, "key \"%s\" is missing%s%s",
                                  fields->key, mapping->key != NULL ? " below " : "",
                                  mapping->key != NULL ? mapping->key : "");
        }
    }
    return 0;
}

int field_mapping(const struct yaml_node *node, const struct field *field, void *member,
                  struct diag *diag)
{
    int status = schema_expect(node, YAML_MAPPING, field->key, diag);
    return status != 0 ? status : schema_read(node, field->extra, member, diag);
}

int field_text(const struct yaml_node *node, const struct field *field, void *member,
               struct diag *diag)
{
    int status = schema_expect(node, YAML_TEXT, field->key, diag);
    if (status == 0 && node->text[0] == '\0') {
        status = yaml_node_fail(node, diag, ERR_SYNTAX, "\"%s\" must not be empty", field->key);
    }
    if (status == 0) {
        *(const char **)member = node->text;
    }
    return status;
}

static int fail_number(const struct yaml_node *node, const struct field *field, int code,
                       const char *what, struct diag *diag)
{
    return yaml_node_fail(node, diag, code, "\"%s\" must be %s from %.10g to %.10g, not \"%s\"",
                          field->key, what, field->min, field->max, node->text);
}

int field_count(const struct yaml_node *node, const struct field *field, void *member,
                struct diag *diag)
{
    int status = schema_expect(node, YAML_TEXT, field->key, diag);
    if (status != 0) {
        return status;
    }
    uint64_t value = 0;
    status = number_parse_u64(node->text, (uint64_t)field->min, (uint64_t)field->max, &value);
    if (status != 0) {
        return fail_number(node, field, status, "a whole number", diag);
    }
    *(unsigned *)member = (unsigned)value;
    return 0;
}

int field_u64(const struct yaml_node *node, const struct field *field, void *member,
              struct diag *diag)
{
    uint64_t max = (uint64_t)field->max;
    int status = schema_expect(node, YAML_TEXT, field->key, diag);
    if (status != 0) {
        return status;
    }
    status = number_parse_u64(node->text, 0, max, member);
    if (status != 0) {
        return yaml_node_fail(node, diag, status,
                              "\"%s\" must be a whole number from 0 to %" PRIu64 ", not \"%s\"",
                              field->key, max, node->text);
    }
    return 0;
}

int field_decimal(const struct yaml_node *node, const struct field *field, void *member,
                  struct diag *diag)
{
    int status = schema_expect(node, YAML_TEXT, field->key, diag);
    if (status != 0) {
        return status;
    }
    status = number_parse_decimal(node->text, field->min, field->max, member);
    return status != 0 ? fail_number(node, field, status, "a number", diag) : 0;
}

static int fail_word(const struct yaml_node *node, const struct field *field, struct diag *diag)
{
    const struct choice *choices = field->extra;
    const char *names[LIST_MAX];
    size_t count = 0;
    for (; choices[count].name != NULL && count < LIST_MAX; count++) {
        names[count] = choices[count].name;
    }
    char all[512];
    join_words(names, count, all, sizeof(all));
    int nearest = word_nearest(node->text, names, count);
    if (nearest >= 0) {
        return yaml_node_fail(node, diag, ERR_SYNTAX,
                              "\"%s\" must be %s, not \"%s\"; did you mean \"%s\"?", field->key,
                              all, node->text, names[nearest]);
    }
    return yaml_node_fail(node, diag, ERR_SYNTAX, "\"%s\" must be %s, not \"%s\"", field->key, all,
                          node->text);
}

int field_word(const struct yaml_node *node, const struct field *field, void *member,
               struct diag *diag)
{
    int status = schema_expect(node, YAML_TEXT, field->key, diag);
    if (status != 0) {
        return status;
    }
    const struct choice *choice = field->extra;
    while (choice->name != NULL && strcmp(choice->name, node->text) != 0) {
        choice++;
    }
    if (choice->name == NULL) {
        return fail_word(node, field, diag);
    }
    *(unsigned *)member = choice->value;
    return 0;
}

const char *choice_name(const struct choice *choices, unsigned value)
{
    while (choices->value != value) {
        CHECK(choices->name != NULL);
        choices++;
    }
    return choices->name;
}

/* One value of a list, read as `read` reads a lone one. */
static int add_value(const struct yaml_node *node, const struct field *field, field_read_fn *read,
                     struct number_list *list, struct diag *diag)
{
    unsigned value = 0;
    int status = read(node, field, &value, diag);
    if (status != 0) {
        return status;
    }
    for (size_t i = 0; i < list->count; i++) {
        if (list->values[i] == value) {
            return yaml_node_fail(node, diag, ERR_SYNTAX, "\"%s\" has %s twice; keep one of them",
                                  field->key, node->text);
        }
    }
    if (list->count == LIST_MAX) {
        return yaml_node_fail(node, diag, ERR_RANGE, "\"%s\" can have %d values at most",
                              field->key, LIST_MAX);
    }
    list->values[list->count++] = value;
    return 0;
}

static int read_list(const struct yaml_node *node, const struct field *field, field_read_fn *read,
                     struct number_list *list, struct diag *diag)
{
    list->count = 0;
    if (node->kind == YAML_TEXT) {
        return add_value(node, field, read, list, diag);
    }
    int status = schema_expect(node, YAML_SEQUENCE, field->key, diag);
    if (status == 0 && node->first_child == NULL) {
        return yaml_node_fail(node, diag, ERR_SYNTAX, "\"%s\" must have one value at least",
                              field->key);
    }
    const struct yaml_node *child = node->first_child;
    for (; status == 0 && child != NULL; child = child->next) {
        status = add_value(child, field, read, list, diag);
    }
    return status;
}

int field_counts(const struct yaml_node *node, const struct field *field, void *member,
                 struct diag *diag)
{
    return read_list(node, field, field_count, member, diag);
}

int field_words(const struct yaml_node *node, const struct field *field, void *member,
                struct diag *diag)
{
    return read_list(node, field, field_word, member, diag);
}
