#include "report/svg_inline.h"

#include <string.h>

#include "report/html.h"

/* What stands before an id, and must be followed by the prefix. */
static const char *const id_contexts[] = {" id='", " id=\"", "href='#", "href=\"#", "url(#"};

struct span {
    const char *at;
    const char *end;
};

static bool begins_with(const struct span *span, const char *text)
{
    size_t length = strlen(text);
    return (size_t)(span->end - span->at) >= length && memcmp(span->at, text, length) == 0;
}

/* Passes over <title>...</title> and <desc>...</desc>; false when neither begins here. */
static bool skip_element(struct span *span)
{
    static const char *const elements[][2] = {{"<title>", "</title>"}, {"<desc>", "</desc>"}};
    for (size_t i = 0; i < ARRAY_LENGTH(elements); i++) {
        if (!begins_with(span, elements[i][0])) {
            continue;
        }
        const char *close = memmem(span->at, (size_t)(span->end - span->at), elements[i][1],
                                   strlen(elements[i][1]));
        if (close != NULL) {
            span->at = close + strlen(elements[i][1]);
            return true;
        }
    }
    return false;
}

static bool copy_id_context(struct span *span, const char *prefix, FILE *out)
{
    for (size_t i = 0; i < ARRAY_LENGTH(id_contexts); i++) {
        if (begins_with(span, id_contexts[i])) {
            fprintf(out, "%s%s-", id_contexts[i], prefix);
            span->at += strlen(id_contexts[i]);
            return true;
        }
    }
    return false;
}

bool svg_inline(const char *svg, size_t size, const char *prefix, const char *label, FILE *out)
{
    static const char start[] = "<svg";
    const char *begin = memmem(svg, size, start, strlen(start));
    if (begin == NULL) {
        return false;
    }
    fputs("<svg role=\"img\" aria-label=\"", out);
    html_text(out, label);
    fputc('"', out);
    struct span span = {begin + strlen(start), svg + size};
    while (span.at < span.end) {
        if (!skip_element(&span) && !copy_id_context(&span, prefix, out)) {
            fputc(*span.at++, out);
        }
    }
    return true;
}
