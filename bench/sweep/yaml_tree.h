/*
 * A YAML document as a tree whose every node knows the place that it came from, so that a wrong
 * value can be reported with file and line even when it is found wrong long after parsing.
 *
 * libyaml parses. What a settings file does not need is refused: several documents, anchors and
 * aliases, keys that are not plain text, a key twice in one mapping, nesting over 16 levels.
 * Scalars stay text (`on` is the two letters); what they mean is the reader's business.
 * Pure: bytes in, tree out. One thread at a time.
 */
#ifndef SWEEP_YAML_TREE_H
#define SWEEP_YAML_TREE_H

#include <stddef.h>

#include "core/attributes.h"
#include "core/diag.h"

enum yaml_kind { YAML_TEXT, YAML_SEQUENCE, YAML_MAPPING };

/* A node; all of it belongs to its tree. */
struct yaml_node {
    enum yaml_kind kind;
    const char *source; /* the file's name, or "--set KEY=VALUE" */
    unsigned line;      /* 0 when the source has no lines; of the key in a mapping */
    const char *key;    /* in a mapping, else NULL */
    const char *text;   /* of YAML_TEXT, else NULL */
    struct yaml_node *first_child;
    struct yaml_node *next;
};

struct yaml_tree {
    struct yaml_node *root;
    struct yaml_block *blocks; /* everything that the tree allocated */
};

/*
 * Parses one document. 0 and the caller frees `tree` with yaml_tree_free(); ERR_SYNTAX or
 * ERR_MEMORY with a diag, then there is nothing to free.
 */
int yaml_tree_parse(struct yaml_tree *tree, const char *text, size_t size, const char *source,
                    struct diag *diag) MUST_CHECK;

/*
 * Applies "KEY=VALUE" to a tree whose root is a mapping: KEY is a path with dots ("axes.vcpus"),
 * VALUE is YAML ("[1, 2]", "named"). A missing part of the path is made, an old value is replaced.
 * On failure (ERR_SYNTAX, ERR_MEMORY) the tree may have new empty mappings.
 */
int yaml_tree_set(struct yaml_tree *tree, const char *assignment, struct diag *diag) MUST_CHECK;

void yaml_tree_free(struct yaml_tree *tree);

/* The child of a mapping with that key, or NULL. */
const struct yaml_node *yaml_node_get(const struct yaml_node *mapping, const char *key);

/* Number of children. */
size_t yaml_node_count(const struct yaml_node *node);

/* diag_fail() with the node's place. */
int yaml_node_fail(const struct yaml_node *node, struct diag *diag, int code, const char *format,
                   ...) PRINTF_LIKE(4, 5);

#endif
