/*
 * Samples to compare. From a sweep: DIRECTORY/runs.jsonl, one JSON object a run, gathered by setup
 * (every other file there is derived from it). Or from files of numbers: each a setup, about whose
 * runs nothing else is known. One thread at a time for one struct.
 */
#ifndef REPORT_RESULTS_H
#define REPORT_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "stats/numbers.h"
#include "stats/sample.h"

struct run {
    const json_t *record; /* the whole object; lives as long as the results */
    size_t setup;         /* index into setups */
    double qps;           /* 0 when the run does not count */
    bool counts;          /* false: the target died, or it was interrupted: no figure */
};

struct setup_results {
    const char *name;
    json_t *axes;         /* of its first run; NULL when the record has none */
    size_t run_count;     /* all runs, those that do not count included */
    size_t *counted;      /* indices into runs of those that count, in the order they were made */
    double *qps;          /* theirs; the numbers of a file */
    struct sample sample; /* of `qps`; n is 0 and nothing else is filled in when none counts */
};

struct results {
    json_t *records;  /* NULL when the setups are files of numbers */
    struct run *runs; /* in the order they were made */
    size_t run_count;
    struct setup_results *setups; /* by name, numbers in names by value; files as given */
    size_t setup_count;
    bool has_torn_line; /* the last line was cut off, and is not among the runs */
};

/*
 * Parses the text of a runs.jsonl; `file` is its name, for diagnoses. A last line that does not
 * end is left out and remembered; any other that is not a run is an error with file and line. 0
 * and the caller frees with results_free(), or an error with nothing to free.
 */
int results_parse(const char *text, size_t size, const char *file, struct results *results,
                  struct diag *diag) MUST_CHECK;

/* The same from DIRECTORY/runs.jsonl. */
int results_load(const char *directory, struct results *results, struct diag *diag) MUST_CHECK;

/*
 * Makes a setup of every file of numbers ("-" is standard input); each must hold at least
 * MINISTAT_VALUES_MIN. `paths` are borrowed, as the setups' names.
 */
int results_from_files(char *const *paths, size_t count, const struct numbers_format *format,
                       struct results *results, struct diag *diag) MUST_CHECK;

void results_free(struct results *results);

/* The index of a setup; or ERR_NOT_FOUND with a diag that names the nearest one. */
int results_find_setup(const struct results *results, const char *name, size_t *index,
                       struct diag *diag) MUST_CHECK;

/* Whether the run's record has that flag. */
bool run_has_flag(const struct run *run, const char *flag);

#endif
