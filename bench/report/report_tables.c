#include "report/report_tables.h"

#include <stdlib.h>
#include <string.h>

#include "report/html.h"
#include "stats/sample.h"

#define NAME_SIZE 256
/* Objects within objects beyond this are shown as JSON. */
#define DEPTH_MAX 4

static void open_table(const char *label, const char *class, FILE *out)
{
    fprintf(out,
            "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"%s\">\n"
            "<table%s>\n",
            label, class);
}

static void close_table(FILE *out)
{
    fputs("</tbody>\n</table>\n</div>\n", out);
}

static void print_header(const char *const *headings, size_t count, FILE *out)
{
    fputs("<thead><tr>", out);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "<th scope=\"col\">%s</th>", headings[i]);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
}

/* The mean over the counted runs of a latency, in microseconds; negative when none has it. */
static double mean_latency_us(const struct results *results, const struct setup_results *setup,
                              const char *key)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < setup->sample.n; i++) {
        const json_t *record = results->runs[setup->counted[i]].record;
        const json_t *value = json_object_get(json_object_get(record, "latency_us"), key);
        if (json_is_number(value)) {
            sum += json_number_value(value);
            count++;
        }
    }
    return count > 0 ? sum / (double)count : -1;
}

static void print_latency(double latency_us, FILE *out)
{
    if (latency_us < 0) {
        fputs("<td>-</td>", out);
    } else {
        fprintf(out, "<td>%.0f</td>", latency_us);
    }
}

static void print_setup_cells(const struct results *results, const struct setup_results *setup,
                              FILE *out)
{
    const struct summary *summary = &setup->sample.summary;
    if (setup->sample.n > 1 && summary->mean != 0) {
        fprintf(out, "<td>%.0f</td><td>&plusmn;%.0f</td><td>%.1f%%</td>", summary->mean,
                sample_mean_half_width(&setup->sample), 100 * summary->stddev / summary->mean);
    } else if (setup->sample.n > 0) {
        fprintf(out, "<td>%.0f</td><td>-</td><td>-</td>", summary->mean);
    } else {
        fputs("<td>-</td><td>-</td><td>-</td>", out);
    }
    if (setup->sample.n > 0) {
        fprintf(out, "<td>%.0f</td><td>%.0f</td>", summary->min, summary->max);
    } else {
        fputs("<td>-</td><td>-</td>", out);
    }
    print_latency(mean_latency_us(results, setup, "p50"), out);
    print_latency(mean_latency_us(results, setup, "p99"), out);
}

void report_setups_table(const struct results *results, FILE *out)
{
    static const char *const headings[] = {
        "Setup", "Runs", "Mean qps",     "95% interval", "Std. dev.",
        "Min",   "Max",  "p50 &micro;s", "p99 &micro;s",
    };
    open_table("Rates of the setups", "", out);
    print_header(headings, ARRAY_LENGTH(headings), out);
    for (size_t i = 0; i < results->setup_count; i++) {
        const struct setup_results *setup = &results->setups[i];
        fputs("<tr><th scope=\"row\">", out);
        html_text(out, setup->name);
        fprintf(out, "</th><td>%zu", setup->sample.n);
        if (setup->sample.n < setup->run_count) {
            fprintf(out, " of %zu", setup->run_count);
        }
        fputs("</td>", out);
        print_setup_cells(results, setup, out);
        fputs("</tr>\n", out);
    }
    close_table(out);
}

static void print_flags(const struct run *run, FILE *out)
{
    size_t index;
    const json_t *flag;
    json_array_foreach(json_object_get(run->record, "flags"), index, flag)
    {
        const char *name = json_string_value(flag);
        fputs(index > 0 ? " " : "", out);
        html_text(out, name != NULL ? name : "");
    }
}

static void print_run(const struct results *results, size_t index, FILE *out)
{
    const struct run *run = &results->runs[index];
    const char *start = json_string_value(json_object_get(run->record, "started_at"));
    const json_t *latency = json_object_get(run->record, "latency_us");
    fprintf(out, "<tr><td>%zu</td><td class=\"text\">", index + 1);
    html_text(out, results->setups[run->setup].name);
    fputs("</td><td class=\"text\">", out);
    html_text(out, start != NULL ? start : "");
    if (run->counts) {
        fprintf(out, "</td><td>%.1f</td>", run->qps);
    } else {
        fputs("</td><td>not counted</td>", out);
    }
    const json_t *p50 = json_object_get(latency, "p50");
    const json_t *p99 = json_object_get(latency, "p99");
    print_latency(json_is_number(p50) ? json_number_value(p50) : -1, out);
    print_latency(json_is_number(p99) ? json_number_value(p99) : -1, out);
    fputs("<td class=\"text\">", out);
    print_flags(run, out);
    fputs("</td></tr>\n", out);
}

void report_runs_table(const struct results *results, FILE *out)
{
    static const char *const headings[] = {
        "Run", "Setup", "Started", "qps", "p50 &micro;s", "p99 &micro;s", "Flags",
    };
    open_table("All runs", "", out);
    print_header(headings, ARRAY_LENGTH(headings), out);
    for (size_t i = 0; i < results->run_count; i++) {
        print_run(results, i, out);
    }
    close_table(out);
}

static void print_value(const char *name, const json_t *value, FILE *out)
{
    fputs("<tr><th scope=\"row\">", out);
    html_text(out, name);
    fputs("</th><td>", out);
    if (json_is_string(value)) {
        html_text(out, json_string_value(value));
    } else if (json_is_null(value)) {
        fputs("<span class=\"muted\">not known</span>", out);
    } else {
        char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));
        html_text(out, text != NULL ? text : "");
        free(text);
    }
    fputs("</td></tr>\n", out);
}

/* Recursion is bounded by DEPTH_MAX. */
static void print_members(json_t *object, const char *prefix, unsigned depth, FILE *out)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        char name[NAME_SIZE];
        snprintf(name, sizeof(name), "%s%s%s", prefix, *prefix != '\0' ? "." : "", key);
        if (json_is_object(value) && json_object_size(value) > 0 && depth < DEPTH_MAX) {
            print_members(value, name, depth + 1, out);
        } else {
            print_value(name, value, out);
        }
    }
}

void report_environment_table(json_t *environment, FILE *out)
{
    open_table("Environment", " class=\"plain\"", out);
    fputs("<tbody>\n", out);
    print_members(environment, "", 1, out);
    close_table(out);
}
