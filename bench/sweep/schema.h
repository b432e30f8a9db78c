/*
 * Reads a mapping of a YAML tree into a struct by a table of fields. Every failure names the place
 * and what would be right; an unknown key names the nearest known one. Pure, any thread.
 */
#ifndef SWEEP_SCHEMA_H
#define SWEEP_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

#include "sweep/yaml_tree.h"

struct field;

/* Reads one node into the member; 0 or an error with a diag. */
typedef int field_read_fn(const struct yaml_node *node, const struct field *field, void *member,
                          struct diag *diag);

struct field {
    const char *key;
    field_read_fn *read;
    size_t offset;     /* of the member in the struct */
    bool required;     /* else the struct's value before reading is the default */
    double min, max;   /* of numbers; of lists of numbers, for each */
    const void *extra; /* what `read` needs: choices, the fields of a mapping */
};

/* A word and what it stands for; a table of them ends with a NULL name. */
struct choice {
    const char *name;
    unsigned value;
};

#define LIST_MAX 32 /* values of one list */

/* A list of numbers or of the values of words, without duplicates. */
struct number_list {
    unsigned values[LIST_MAX];
    size_t count;
};

/*
 * Reads `mapping` into `out` by `fields`, a table ended by a NULL key. Missing required keys,
 * unknown keys and wrong values are errors; the first one in the file's order is reported.
 */
int schema_read(const struct yaml_node *mapping, const struct field *fields, void *out,
                struct diag *diag) MUST_CHECK;

field_read_fn field_text;    /* const char *: points into the tree */
field_read_fn field_count;   /* unsigned within [min, max] */
field_read_fn field_u64;     /* uint64_t from 0 to max */
field_read_fn field_decimal; /* double within [min, max] */
field_read_fn field_word;    /* unsigned: the value of one of the choices in extra */
field_read_fn field_counts;  /* struct number_list of counts; one alone is a list of one */
field_read_fn field_words;   /* struct number_list of choices; one alone is a list of one */
field_read_fn field_mapping; /* a struct by the fields of extra */

/* ERR_SYNTAX unless the node is of that kind; `key` says whose value it is. */
int schema_expect(const struct yaml_node *node, enum yaml_kind kind, const char *key,
                  struct diag *diag) MUST_CHECK;

/* The name of a value; the value must be in the table. */
const char *choice_name(const struct choice *choices, unsigned value);

#endif
