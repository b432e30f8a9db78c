#include "../unit.h"

#include <string.h>

#include "core/attributes.h"
#include "core/error.h"
#include "sweep/yaml_tree.h"

static int parse(struct yaml_tree *tree, const char *text, struct diag *diag)
{
    *diag = (struct diag){0};
    return yaml_tree_parse(tree, text, strlen(text), "f.yaml", diag);
}

static void keeps_places(void **state)
{
    (void)state;
    struct yaml_tree tree;
    struct diag diag;
    assert_int_equal(parse(&tree, "# comment\na: 1\nb:\n  c: [on,\n    \"x y\"]\n", &diag), 0);
    const struct yaml_node *a = yaml_node_get(tree.root, "a");
    assert_int_equal(a->kind, YAML_TEXT);
    assert_string_equal(a->text, "1");
    assert_string_equal(a->source, "f.yaml");
    assert_int_equal(a->line, 2);
    const struct yaml_node *b = yaml_node_get(tree.root, "b");
    assert_int_equal(b->kind, YAML_MAPPING);
    const struct yaml_node *c = yaml_node_get(b, "c");
    assert_int_equal(c->kind, YAML_SEQUENCE);
    assert_int_equal(c->line, 4);
    assert_int_equal(yaml_node_count(c), 2);
    assert_string_equal(c->first_child->text, "on");
    assert_int_equal(c->first_child->line, 4);
    assert_string_equal(c->first_child->next->text, "x y");
    assert_int_equal(c->first_child->next->line, 5);
    assert_null(yaml_node_get(tree.root, "c"));
    yaml_tree_free(&tree);
}

static void refuses_what_it_does_not_take(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *message; /* begins with */
    } cases[] = {
        {"", "f.yaml:1: nothing but comments"},
        {"# only\n", "f.yaml:2: nothing but comments"},
        {"a: 1\na: 2\n", "f.yaml:2: key \"a\" is already in line 1"},
        {"a: &x 1\n", "f.yaml:1: anchors and aliases"},
        {"a: 1\nb: *x\n", "f.yaml:2: anchors and aliases"},
        {"a: 1\n---\nb: 2\n", "f.yaml:2: a second document"},
        {"? [a]\n: 1\n", "f.yaml:1: a key must be plain text"},
        {"a: [1,\nb: 2\n",
         "f.yaml:3: not YAML: while parsing a flow sequence (from line 1 on), did not"},
        {"a: 1\n\tb: 2\n", "f.yaml:2: not YAML"},
        {"a: \"\\0\"\n", "f.yaml:1: a NUL character"},
        {"a: \"\xff\"\n", "f.yaml"},
        {"[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]", "f.yaml:1: nested too deep"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct yaml_tree tree;
        struct diag diag;
        assert_int_equal(parse(&tree, cases[i].text, &diag), ERR_SYNTAX);
        if (strncmp(diag.message, cases[i].message, strlen(cases[i].message)) != 0) {
            fail_msg("\"%s\" instead of \"%s\"", diag.message, cases[i].message);
        }
    }
}

static void sets_by_path(void **state)
{
    (void)state;
    struct yaml_tree tree;
    struct diag diag;
    assert_int_equal(parse(&tree, "a: 1\nb: {c: 2, d: 3}\nz: 9\n", &diag), 0);
    assert_int_equal(yaml_tree_set(&tree, "a=7", &diag), 0);
    assert_int_equal(yaml_tree_set(&tree, "b.c=[5, 6]", &diag), 0);
    assert_int_equal(yaml_tree_set(&tree, "e.f.g=x=y", &diag), 0);
    assert_string_equal(yaml_node_get(tree.root, "a")->text, "7");
    assert_string_equal(yaml_node_get(tree.root, "a")->source, "--set a=7");
    assert_int_equal(yaml_node_get(tree.root, "a")->line, 0);
    const struct yaml_node *b = yaml_node_get(tree.root, "b");
    assert_int_equal(yaml_node_get(b, "c")->kind, YAML_SEQUENCE);
    assert_string_equal(yaml_node_get(b, "d")->text, "3");
    const struct yaml_node *f = yaml_node_get(yaml_node_get(tree.root, "e"), "f");
    assert_string_equal(yaml_node_get(f, "g")->text, "x=y");
    assert_string_equal(yaml_node_get(tree.root, "z")->text, "9");
    assert_int_equal(yaml_node_count(tree.root), 4);
    yaml_tree_free(&tree);
}

static void refuses_wrong_assignments(void **state)
{
    (void)state;
    static const struct {
        const char *assignment;
        const char *message;
    } cases[] = {
        {"a", "--set a: must be KEY=VALUE"},
        {"=1", "--set =1: must be KEY=VALUE"},
        {"a.b=1", "--set a.b=1: \"a\" is a single value here, without keys below it; set the whole "
                  "of it with --set a=VALUE"},
        {"a.b.c=1", "--set a.b.c=1: \"a\" is a single value here"},
        {"a=#x", "--set a=#x: nothing but"},
        {"a=[1", "--set a=[1: not YAML"},
        {"a=&x 1", "--set a=&x 1: anchors"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct yaml_tree tree;
        struct diag diag;
        assert_int_equal(parse(&tree, "a: 1\n", &diag), 0);
        assert_int_equal(yaml_tree_set(&tree, cases[i].assignment, &diag), ERR_SYNTAX);
        if (strncmp(diag.message, cases[i].message, strlen(cases[i].message)) != 0) {
            fail_msg("\"%s\" instead of \"%s\"", diag.message, cases[i].message);
        }
        yaml_tree_free(&tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_places),
        cmocka_unit_test(refuses_what_it_does_not_take),
        cmocka_unit_test(sets_by_path),
        cmocka_unit_test(refuses_wrong_assignments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
