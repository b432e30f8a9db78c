#include "report/report_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "report/html.h"
#include "report/pairing.h"
#include "report/plot_text.h"
#include "report/report_style.h"
#include "report/report_tables.h"
#include "report/svg_inline.h"
#include "report/text_file.h"
#include "report/warnings.h"
#include "stats/ministat.h"

/* More answers than this are set smaller. */
#define ANSWERS_LARGE_MAX 6

/* What the sections share. */
struct page {
    const struct report_input *input;
    struct pairing_list pairings; /* by scope, or with the first setup where there are none */
    struct text_list warnings;    /* about all setups */
    FILE *out;
};

/* What the first plots show, for those who do not see them and below them for all. */
static const char *const plot_captions[] = {
    "Every run as a dot; below the dots the mean with its 95% interval.",
    "The rate of every run in the order they were made. A slope that all setups share is a drift "
    "of "
    "the machine.",
};

static const json_t *first_record(const struct page *page)
{
    const struct results *results = page->input->results;
    return results->run_count > 0 ? results->runs[0].record : NULL;
}

/* ", BEFORE TEXT": something about the first run, when it is known. */
static void print_known(const struct page *page, const char *before, const json_t *text)
{
    if (json_is_string(text)) {
        fprintf(page->out, ", %s", before);
        html_text(page->out, json_string_value(text));
    }
}

static void print_head(const struct page *page)
{
    const struct results *results = page->input->results;
    FILE *out = page->out;
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
          out);
    html_text(out, page->input->name);
    fprintf(out, " - dnscope report</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>\n",
            report_style);
    html_element(out, "h1", page->input->name);
    fprintf(out, "<p class=\"muted\">%zu runs of %zu setups", results->run_count,
            results->setup_count);
    const json_t *record = first_record(page);
    print_known(page, "server ", json_object_get(json_object_get(record, "target"), "version"));
    print_known(page, "first run at ", json_object_get(record, "started_at"));
    fputs("</p>\n</header>\n<main>\n", out);
}

/* Where a pairing by scope belongs: "1 virtual CPU", or the setups' names when that is not known.
 */
static void print_where(const struct page *page, const struct pairing *pairing)
{
    const json_t *vcpus = json_object_get(pairing->base->axes, "vcpus");
    fputs("<span class=\"where\">", page->out);
    if (pairing->words.base != pairing->base->name && json_is_integer(vcpus)) {
        json_int_t count = json_integer_value(vcpus);
        fprintf(page->out, "%" JSON_INTEGER_FORMAT " virtual CPU%s: ", count,
                count == 1 ? "" : "s");
    }
    html_text(page->out, pairing->base->name);
    fputs(" and ", page->out);
    html_text(page->out, pairing->other->name);
    fputs("</span>", page->out);
}

static int print_sentence(const struct page *page, const struct pairing *pairing, struct diag *diag)
{
    struct text_file text;
    int status = text_file_open(&text, diag);
    if (status != 0) {
        return status;
    }
    pairing_print_sentence(pairing, text.out);
    status = text_file_take(&text, diag);
    if (status == 0) {
        html_bytes(page->out, text.text, text.size);
        free(text.text);
    }
    return status;
}

static int print_answers(const struct page *page, struct diag *diag)
{
    int status = 0;
    fprintf(page->out, "<section aria-label=\"The answer\">\n<ul class=\"answers%s\">\n",
            page->pairings.count > ANSWERS_LARGE_MAX ? " many" : "");
    for (size_t i = 0; i < page->pairings.count && status == 0; i++) {
        const struct pairing *pairing = &page->pairings.items[i];
        bool shown = pairing->has_comparison && pairing->comparison.is_difference;
        fprintf(page->out, "<li%s>", shown ? "" : " class=\"none\"");
        print_where(page, pairing);
        status = print_sentence(page, pairing, diag);
        fputs("</li>\n", page->out);
    }
    if (page->pairings.count == 0) {
        fprintf(page->out, "<li class=\"none\">Nothing to compare: there %s.</li>\n",
                page->input->results->setup_count == 0 ? "is no run" : "is one setup only");
    }
    fputs("</ul>\n", page->out);
    if (page->warnings.count > 0) {
        fprintf(page->out,
                "<p class=\"doubt\"><a href=\"#warnings\">%zu warning%s</a> on how far to trust "
                "this.</p>\n",
                page->warnings.count, page->warnings.count == 1 ? "" : "s");
    }
    fputs("</section>\n", page->out);
    return status;
}

static void print_plot(const struct page *page, size_t index)
{
    const struct bytes *svg = &page->input->plots[index];
    if (svg->data == NULL) {
        return;
    }
    fputs("<figure>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"plot\">\n",
          page->out);
    if (!svg_inline(svg->data, svg->size, plot_names[index], plot_captions[index], page->out)) {
        fprintf(page->out, "<p>plots/%s.svg holds no plot.</p>\n", plot_names[index]);
    }
    fputs("</div>\n<figcaption>", page->out);
    html_text(page->out, plot_captions[index]);
    fputs("</figcaption>\n</figure>\n", page->out);
}

static void print_rates(const struct page *page)
{
    fputs("<section>\n<h2>Queries per second</h2>\n", page->out);
    if (page->input->plots_note != NULL) {
        fputs("<p class=\"doubt\">", page->out);
        html_text(page->out, page->input->plots_note);
        fputs("</p>\n", page->out);
    }
    print_plot(page, 0);
    report_setups_table(page->input->results, page->out);
    fputs("</section>\n", page->out);
}

static int print_ministat(const struct page *page, const struct pairing *pairing, struct diag *diag)
{
    const struct sample samples[] = {pairing->base->sample, pairing->other->sample};
    struct text_file text;
    int status = text_file_open(&text, diag);
    if (status != 0) {
        return status;
    }
    status = ministat_print(&ministat_default_options, samples, 2, text.out);
    int taken = text_file_take(&text, diag);
    if (status != 0 || taken != 0) {
        return diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
    }
    fputs("<pre tabindex=\"0\">", page->out);
    html_bytes(page->out, text.text, text.size);
    fputs("</pre>\n", page->out);
    free(text.text);
    return 0;
}

static int print_comparisons(const struct page *page, struct diag *diag)
{
    int status = 0;
    fputs("<section>\n<h2>Comparisons, as ministat prints them</h2>\n", page->out);
    for (size_t i = 0; i < page->pairings.count && status == 0; i++) {
        const struct pairing *pairing = &page->pairings.items[i];
        if (pairing->has_comparison) {
            status = print_ministat(page, pairing, diag);
        }
    }
    fputs("</section>\n", page->out);
    return status;
}

static void print_warnings(const struct page *page)
{
    fputs("<section id=\"warnings\">\n<h2>Warnings</h2>\n", page->out);
    if (page->warnings.count == 0) {
        fputs("<p>None.</p>\n</section>\n", page->out);
        return;
    }
    fputs("<ul class=\"warnings\">\n", page->out);
    for (size_t i = 0; i < page->warnings.count; i++) {
        html_element(page->out, "li", page->warnings.items[i]);
    }
    fputs("</ul>\n</section>\n", page->out);
}

static void print_details(const struct page *page)
{
    FILE *out = page->out;
    fputs("<section>\n<h2>Details</h2>\n<details>\n<summary>All runs</summary>\n", out);
    report_runs_table(page->input->results, out);
    fputs("</details>\n", out);
    if (page->input->environment != NULL) {
        fputs("<details>\n<summary>Environment</summary>\n", out);
        report_environment_table(page->input->environment, out);
        fputs("</details>\n", out);
    }
    if (page->input->experiment->data != NULL) {
        fputs("<details>\n<summary>Experiment</summary>\n<pre tabindex=\"0\">", out);
        html_bytes(out, page->input->experiment->data, page->input->experiment->size);
        fputs("</pre>\n</details>\n", out);
    }
    fputs("</section>\n", out);
}

static void print_foot(const struct page *page)
{
    fputs(
        "</main>\n<footer>\n<p>Made by dnscope " DNSCOPE_VERSION
        ". Beside this page: runs.jsonl and runs.csv with "
        "every run, ministat/ with the rates of each setup, plots/ with the plots and the gnuplot "
        "files to make them again.</p>\n</footer>\n</body>\n</html>\n",
        page->out);
}

static int gather_pairings(struct page *page)
{
    const struct results *results = page->input->results;
    int status = pairing_by_scope(results, CONFIDENCE_95, &page->pairings);
    if (status == 0 && page->pairings.count == 0 && results->setup_count > 1) {
        pairing_list_free(&page->pairings);
        status = pairing_with_base(results, 0, CONFIDENCE_95, &page->pairings);
    }
    return status;
}

static int gather_warnings(struct page *page)
{
    const struct results *results = page->input->results;
    const struct setup_results **setups = calloc(results->setup_count + 1, sizeof(void *));
    if (setups == NULL) {
        return ERR_MEMORY;
    }
    for (size_t i = 0; i < results->setup_count; i++) {
        setups[i] = &results->setups[i];
    }
    warnings_gather(results, setups, results->setup_count, &page->warnings);
    free(setups);
    if (results->has_torn_line) {
        text_list_add(&page->warnings, "the last line of runs.jsonl was cut off and is left out");
    }
    return page->warnings.failed ? ERR_MEMORY : 0;
}

int report_page_print(const struct report_input *input, FILE *out, struct diag *diag)
{
    struct page page = {.input = input, .out = out};
    int status = gather_pairings(&page);
    if (status == 0) {
        status = gather_warnings(&page);
    }
    if (status == 0) {
        print_head(&page);
        status = print_answers(&page, diag);
    }
    if (status == 0) {
        print_rates(&page);
        status = print_comparisons(&page, diag);
    }
    if (status == 0) {
        fputs("<section>\n<h2>Over the whole sweep</h2>\n", out);
        print_plot(&page, 1);
        fputs("</section>\n", out);
        print_warnings(&page);
        print_details(&page);
        print_foot(&page);
    }
    pairing_list_free(&page.pairings);
    text_list_free(&page.warnings);
    return status == 0 ? 0 : diag_fail(diag, status, NULL, 0, "out of memory");
}
