#include "../unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"
#include "report/svg_inline.h"

struct svg_case {
    const char *svg;
    const char *expected; /* NULL: refused */
};

static const struct svg_case cases[] = {
    {"<?xml version=\"1.0\"?>\n<!-- x --><svg width=\"1\"><rect/></svg>",
     "<svg role=\"img\" aria-label=\"a &quot;label&quot;\" width=\"1\"><rect/></svg>"},
    {"<svg><title>\"f.dat\" using 1</title><g id=\"a\"/><use xlink:href='#a' id='b'/></svg>",
     "<svg role=\"img\" aria-label=\"a &quot;label&quot;\"><g id=\"p-a\"/>"
     "<use xlink:href='#p-a' id='p-b'/></svg>"},
    {"<svg><desc>x</desc><g fill='url(#grey)' clip-path=\"url(#c)\"/></svg>",
     "<svg role=\"img\" aria-label=\"a &quot;label&quot;\">"
     "<g fill='url(#p-grey)' clip-path=\"url(#p-c)\"/></svg>"},
    {"<svg><title>never closed",
     "<svg role=\"img\" aria-label=\"a &quot;label&quot;\"><title>never closed"},
    {"", NULL},
    {"<html></html>", NULL},
};

static void ids_get_a_prefix_and_titles_go(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        assert_non_null(out);
        bool done = svg_inline(cases[i].svg, strlen(cases[i].svg), "p", "a \"label\"", out);
        assert_int_equal(fclose(out), 0);
        assert_int_equal(done, cases[i].expected != NULL);
        assert_string_equal(text, cases[i].expected != NULL ? cases[i].expected : "");
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ids_get_a_prefix_and_titles_go)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
