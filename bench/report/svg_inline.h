/*
 * An SVG file of gnuplot made fit to stand inside an HTML page: without XML declaration, titles and
 * descriptions (they name gnuplot's data files), ids with a prefix so that two plots of one page do
 * not share them, and a role and label for screen readers. Pure text.
 */
#ifndef REPORT_SVG_INLINE_H
#define REPORT_SVG_INLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/attributes.h"

/* `prefix` must be letters and hyphens. False, and nothing printed, when there is no <svg> in it.
 */
bool svg_inline(const char *svg, size_t size, const char *prefix, const char *label,
                FILE *out) MUST_CHECK NONNULL_ALL;

#endif
