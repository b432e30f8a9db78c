#include "report/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/file.h"
#include "core/nearest.h"
#include "stats/ministat.h"

#define PATH_SIZE 4096

/* Flags of runs whose figures mean nothing. */
static const char *const void_flags[] = {"target-died", "interrupted"};

bool run_has_flag(const struct run *run, const char *flag)
{
    const json_t *flags = json_object_get(run->record, "flags");
    size_t index;
    const json_t *entry;
    json_array_foreach(flags, index, entry)
    {
        if (json_is_string(entry) && strcmp(json_string_value(entry), flag) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_void(const struct run *run)
{
    for (size_t i = 0; i < ARRAY_LENGTH(void_flags); i++) {
        if (run_has_flag(run, void_flags[i])) {
            return true;
        }
    }
    return false;
}

/* The sweep says so itself; where it does not, the flags do. */
static bool is_counted(const struct run *run)
{
    const json_t *counted = json_object_get(run->record, "counted");
    return json_is_boolean(counted) ? json_is_true(counted) : !is_void(run);
}

/* A new text with '?' for control characters; NULL when memory is short. */
static json_t *cleaned(const json_t *text)
{
    char *copy = strdup(json_string_value(text));
    json_t *clean = NULL;
    if (copy != NULL) {
        diag_clean(copy);
        clean = json_string(copy);
    }
    free(copy);
    return clean;
}

/* The texts that get into tables and sentences. 0 or ERR_MEMORY. */
static int clean_texts(json_t *record)
{
    int failed = json_object_set_new(record, "setup", cleaned(json_object_get(record, "setup")));
    json_t *flags = json_object_get(record, "flags");
    for (size_t i = 0; i < json_array_size(flags); i++) {
        const json_t *flag = json_array_get(flags, i);
        failed |= json_is_string(flag) && json_array_set_new(flags, i, cleaned(flag)) != 0;
    }
    return failed != 0 ? ERR_MEMORY : 0;
}

/* The line on which the counted run with the same block, setup and number stands; 0: none, and
 * this line is kept in `seen`. Records that have no such numbers are all different. */
static unsigned earlier_line(json_t *seen, const json_t *record, unsigned number)
{
    const json_t *block = json_object_get(record, "block");
    const json_t *run = json_object_get(record, "run");
    const char *setup = json_string_value(json_object_get(record, "setup"));
    char *key = NULL;
    if (!json_is_integer(block) || !json_is_integer(run) ||
        asprintf(&key, "%lld %lld %s", (long long)json_integer_value(block),
                 (long long)json_integer_value(run), setup) < 0) {
        return 0;
    }
    unsigned line = (unsigned)json_integer_value(json_object_get(seen, key));
    if (line == 0) {
        json_object_set_new(seen, key, json_integer(number));
    }
    free(key);
    return line;
}

/* What a run that counts has to have. */
static int check_counted(json_t *seen, const json_t *record, const char *file, unsigned number,
                         struct diag *diag)
{
    const json_t *qps = json_object_get(record, "qps");
    double rate = json_number_value(qps);
    if (!(json_is_number(qps) && rate >= 0 && rate <= NUMBERS_MAGNITUDE_MAX)) {
        return diag_fail(diag, ERR_SYNTAX, file, number,
                         "the run has no rate: a number \"qps\" from 0 to %g is right",
                         NUMBERS_MAGNITUDE_MAX);
    }
    unsigned earlier = earlier_line(seen, record, number);
    return earlier == 0 ? 0
                        : diag_fail(diag, ERR_SYNTAX, file, number,
                                    "is the same run as line %u, of setup, block and number: only "
                                    "one of the two is right",
                                    earlier);
}

/* One line -> one record appended. */
static int parse_line(struct results *results, json_t *seen, const char *line, size_t length,
                      const char *file, unsigned number, struct diag *diag)
{
    json_error_t error;
    json_t *record = json_loadb(line, length, JSON_REJECT_DUPLICATES, &error);
    if (record == NULL) {
        return diag_fail(diag, ERR_SYNTAX, file, number, "is not JSON: %s", error.text);
    }
    if (!json_is_object(record) || !json_is_string(json_object_get(record, "setup"))) {
        json_decref(record);
        return diag_fail(diag, ERR_SYNTAX, file, number,
                         "is not a run: an object with a text \"setup\" is right");
    }
    int status = clean_texts(record);
    if (json_array_append_new(results->records, record) != 0 || status != 0) {
        return diag_fail(diag, ERR_MEMORY, file, number, "no memory for so many runs");
    }
    struct run run = {.record = record};
    return is_counted(&run) ? check_counted(seen, record, file, number, diag) : 0;
}

static int parse_lines(struct results *results, json_t *seen, const char *text, size_t size,
                       const char *file, struct diag *diag)
{
    const char *end = text + size;
    unsigned number = 1;
    for (const char *line = text; line < end; number++) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        if (newline == NULL) {
            results->has_torn_line = true;
            return 0;
        }
        int status = parse_line(results, seen, line, (size_t)(newline - line), file, number, diag);
        if (status != 0) {
            return status;
        }
        line = newline + 1;
    }
    return 0;
}

static size_t find_setup(const struct results *results, const char *name)
{
    size_t index = 0;
    while (index < results->setup_count && strcmp(results->setups[index].name, name) != 0) {
        index++;
    }
    return index;
}

static int compare_setup_names(const void *left, const void *right)
{
    return strverscmp(((const struct setup_results *)left)->name,
                      ((const struct setup_results *)right)->name);
}

/* One setup for every name among the runs. Sorted, because the runs' own order is by chance. */
static void gather_setups(struct results *results)
{
    size_t index;
    const json_t *record;
    json_array_foreach(results->records, index, record)
    {
        const char *name = json_string_value(json_object_get(record, "setup"));
        if (find_setup(results, name) == results->setup_count) {
            results->setups[results->setup_count++] =
                (struct setup_results){.name = name, .axes = json_object_get(record, "axes")};
        }
    }
    qsort(results->setups, results->setup_count, sizeof(*results->setups), compare_setup_names);
}

static void gather_runs(struct results *results)
{
    size_t index;
    const json_t *record;
    json_array_foreach(results->records, index, record)
    {
        struct run *run = &results->runs[index];
        *run = (struct run){.record = record};
        run->setup = find_setup(results, json_string_value(json_object_get(record, "setup")));
        run->counts = is_counted(run);
        run->qps = run->counts ? json_number_value(json_object_get(record, "qps")) : 0;
        results->setups[run->setup].run_count++;
    }
}

/* Fills a setup's counted runs and their summary. */
static int gather_sample(const struct results *results, struct setup_results *setup, size_t index)
{
    setup->counted = calloc(setup->run_count, sizeof(*setup->counted));
    setup->qps = calloc(setup->run_count, sizeof(*setup->qps));
    if (setup->counted == NULL || setup->qps == NULL) {
        return ERR_MEMORY;
    }
    size_t n = 0;
    for (size_t i = 0; i < results->run_count; i++) {
        if (results->runs[i].setup == index && results->runs[i].counts) {
            setup->counted[n] = i;
            setup->qps[n] = results->runs[i].qps;
            n++;
        }
    }
    return n == 0 ? 0 : sample_init(&setup->sample, setup->name, setup->qps, n);
}

static int gather(struct results *results)
{
    results->run_count = json_array_size(results->records);
    results->runs = calloc(results->run_count + 1, sizeof(*results->runs));
    results->setups = calloc(results->run_count + 1, sizeof(*results->setups));
    if (results->runs == NULL || results->setups == NULL) {
        return ERR_MEMORY;
    }
    gather_setups(results);
    gather_runs(results);
    for (size_t i = 0; i < results->setup_count; i++) {
        int status = gather_sample(results, &results->setups[i], i);
        if (status != 0) {
            return status;
        }
    }
    return 0;
}

int results_parse(const char *text, size_t size, const char *file, struct results *results,
                  struct diag *diag)
{
    *results = (struct results){.records = json_array()};
    json_t *seen = json_object();
    int status = results->records == NULL || seen == NULL ? ERR_MEMORY : 0;
    if (status == 0) {
        status = parse_lines(results, seen, text, size, file, diag);
    }
    json_decref(seen);
    if (status == 0) {
        status = gather(results);
    }
    if (status == ERR_MEMORY) {
        diag_fail(diag, ERR_MEMORY, file, 0, "no memory for so many runs");
    }
    if (status != 0) {
        results_free(results);
    }
    return status;
}

int results_load(const char *directory, struct results *results, struct diag *diag)
{
    char path[PATH_SIZE];
    int length = snprintf(path, sizeof(path), "%s/runs.jsonl", directory);
    if (length < 0 || (size_t)length >= sizeof(path)) {
        return diag_fail(diag, ERR_RANGE, directory, 0, "path is too long");
    }
    struct bytes bytes;
    int status = file_read_all(path, &bytes, diag);
    if (status != 0) {
        return status;
    }
    status = results_parse(bytes.data, bytes.size, path, results, diag);
    bytes_free(&bytes);
    return status;
}

/* The numbers become the setup's own. */
static int load_numbers(struct setup_results *setup, const char *path,
                        const struct numbers_format *format, struct diag *diag)
{
    struct bytes bytes;
    int status = file_read_all(path, &bytes, diag);
    if (status != 0) {
        return status;
    }
    /* ministat's name for it, and that of all diagnoses. */
    bool is_stdin = strcmp(path, "-") == 0;
    const char *file = is_stdin ? "(standard input)" : path;
    setup->name = is_stdin ? "<stdin>" : path;
    struct numbers numbers;
    status = numbers_parse(bytes.data, bytes.size, format, file, &numbers, diag);
    bytes_free(&bytes);
    if (status != 0) {
        return status;
    }
    setup->qps = numbers.values;
    setup->run_count = numbers.count;
    if (numbers.count < MINISTAT_VALUES_MIN) {
        return diag_fail(diag, ERR_RANGE, file, 0, "holds %zu numbers; at least %d are needed",
                         numbers.count, MINISTAT_VALUES_MIN);
    }
    return sample_init(&setup->sample, setup->name, setup->qps, numbers.count);
}

int results_from_files(char *const *paths, size_t count, const struct numbers_format *format,
                       struct results *results, struct diag *diag)
{
    *results = (struct results){.setups = calloc(count + 1, sizeof(*results->setups))};
    int status = results->setups == NULL ? ERR_MEMORY : 0;
    for (size_t i = 0; i < count && status == 0; i++) {
        results->setup_count++;
        status = load_numbers(&results->setups[i], paths[i], format, diag);
    }
    if (status == ERR_MEMORY) {
        diag_fail(diag, ERR_MEMORY, NULL, 0, "no memory for so many numbers");
    }
    if (status != 0) {
        results_free(results);
    }
    return status;
}

void results_free(struct results *results)
{
    for (size_t i = 0; i < results->setup_count; i++) {
        free(results->setups[i].counted);
        free(results->setups[i].qps);
        sample_free(&results->setups[i].sample);
    }
    free(results->setups);
    free(results->runs);
    json_decref(results->records);
    *results = (struct results){0};
}

static int fail_unknown_setup(const struct results *results, const char *name, struct diag *diag)
{
    const char **names = calloc(results->setup_count + 1, sizeof(*names));
    int nearest = -1;
    for (size_t i = 0; names != NULL && i < results->setup_count; i++) {
        names[i] = results->setups[i].name;
    }
    if (names != NULL) {
        nearest = word_nearest(name, names, results->setup_count);
    }
    free(names);
    if (nearest >= 0) {
        return diag_fail(diag, ERR_NOT_FOUND, NULL, 0,
                         "there is no setup \"%s\" to compare; did you mean \"%s\"?", name,
                         results->setups[nearest].name);
    }
    return diag_fail(diag, ERR_NOT_FOUND, NULL, 0,
                     "there is no setup \"%s\" to compare; the first of %zu is \"%s\"", name,
                     results->setup_count,
                     results->setup_count > 0 ? results->setups[0].name : "(none)");
}

int results_find_setup(const struct results *results, const char *name, size_t *index,
                       struct diag *diag)
{
    *index = find_setup(results, name);
    return *index < results->setup_count ? 0 : fail_unknown_setup(results, name, diag);
}
