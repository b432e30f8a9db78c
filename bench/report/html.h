/* Pieces of HTML with all that comes from outside escaped. Writes on any stream. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <stddef.h>
#include <stdio.h>

#include "core/attributes.h"

/* Text, also fit for the value of a quoted attribute: & < > " ' are escaped, control characters
 * and octets that are not UTF-8 become U+FFFD, as the HTML standard would have them read. */
void html_text(FILE *out, const char *text) NONNULL_ALL;

/* The same for `size` octets. */
void html_bytes(FILE *out, const char *bytes, size_t size) NONNULL_ALL;

/* <NAME>text</NAME> */
void html_element(FILE *out, const char *name, const char *text) NONNULL_ALL;

#endif
