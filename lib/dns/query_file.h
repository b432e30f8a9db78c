/*
 * Query files in dnsperf's syntax: one query a line, a name, spaces or tabs, an RR type; what
 * stands behind the type is ignored, the class is IN. ';' in column 1 begins a comment, empty
 * lines are skipped, lines may end in CRLF, and the last one may lack its newline. queryperf's
 * directives (#server, #port, #maxwait) are skipped with one warning.
 */
#ifndef DNS_QUERY_FILE_H
#define DNS_QUERY_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "dns/query_set.h"

struct query_file_options {
    const char *name;  /* of the file, in messages */
    bool skip_invalid; /* warn of invalid lines and go on, as dnsperf does */
    bool keep_lines;   /* remember each query's text (query_set_add_line) */
    /* Takes "FILE:LINE: what is wrong"; NULL where nobody listens. */
    void (*warn)(void *context, const char *message);
    void *context;
};

struct query_file_counts {
    uint64_t valid;
    uint64_t invalid;
    uint64_t directives;
};

/*
 * Reads the `size` bytes at `text` into `set`, which the caller has initialised and which keeps
 * pointing into `text` if lines are kept. 0, or ERR_SYNTAX for the first invalid line (unless
 * those are skipped) or a file without a valid query, ERR_MEMORY, ERR_RANGE; all with a diag.
 */
int query_file_parse(const char *text, size_t size, const struct query_file_options *options,
                     struct query_set *set, struct query_file_counts *counts,
                     struct diag *diag) MUST_CHECK;

/* As query_file_parse() for the file at `path` ("-" is standard input); options->name is not
 * looked at. With kept lines the set owns the text. */
int query_file_load(const char *path, const struct query_file_options *options,
                    struct query_set *set, struct query_file_counts *counts,
                    struct diag *diag) MUST_CHECK;

#endif
