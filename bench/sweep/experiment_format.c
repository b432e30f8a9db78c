#include <stdio.h>
#include <stdlib.h>

#include "sweep/experiment.h"
#include "sweep/experiment_words.h"

/* A double-quoted YAML scalar. */
static void write_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') {
            fprintf(out, "\\%c", *c);
        } else if (*c < 0x20 || *c == 0x7f) {
            fprintf(out, "\\x%02x", *c);
        } else {
            fputc(*c, out);
        }
    }
    fputc('"', out);
}

static void write_words(FILE *out, const char *key, const struct number_list *list,
                        const struct choice *choices)
{
    fprintf(out, "  %s: [", key);
    for (size_t i = 0; i < list->count; i++) {
        fprintf(out, "%s%s", i > 0 ? ", " : "", choice_name(choices, list->values[i]));
    }
    fputs("]\n", out);
}

static void write_placements(FILE *out, const struct placement_list *list)
{
    fputs("  placement: [", out);
    for (size_t i = 0; i < list->count; i++) {
        const struct placement_value *value = &list->values[i];
        fputs(i > 0 ? ", " : "", out);
        if (value->policy == PLACEMENT_EXPLICIT) {
            fprintf(out, "{server: \"%s\", client: \"%s\"}", value->server_text,
                    value->client_text);
        } else {
            fputs(choice_name(experiment_placements, value->policy), out);
        }
    }
    fputs("]\n", out);
}

static void write_axes(FILE *out, const struct axes *axes)
{
    fputs("axes:\n", out);
    write_words(out, "scope", &axes->scope, experiment_scopes);
    fputs("  vcpus: [", out);
    for (size_t i = 0; i < axes->vcpus.count; i++) {
        fprintf(out, "%s%u", i > 0 ? ", " : "", axes->vcpus.values[i]);
    }
    fputs("]\n", out);
    write_words(out, "smt", &axes->smt, experiment_smt);
    write_placements(out, &axes->placement);
    write_words(out, "malloc", &axes->malloc, experiment_allocators);
    write_words(out, "confine", &axes->confine, experiment_confines);
}

static void write_target(FILE *out, const struct target_settings *target)
{
    fprintf(out, "target:\n  kind: %s\n  model: %s\n", target_kind_name(target->kind),
            target->model);
    if (target->workers == 0) {
        fputs("  workers: \"" EXPERIMENT_WORKERS_VCPUS "\"\n", out);
    } else {
        fprintf(out, "  workers: %u\n", target->workers);
    }
    if (target->port != 0) {
        fprintf(out, "  port: %u\n", target->port);
    }
    if (target->program != NULL) {
        fputs("  program: ", out);
        write_text(out, target->program);
        fputc('\n', out);
    }
}

static void write_workload(FILE *out, const struct workload *workload)
{
    fputs("workload:\n  zone: ", out);
    write_text(out, workload->zone);
    fputs("\n  queries: ", out);
    write_text(out, workload->queries);
    if (workload->origin != NULL) {
        fputs("\n  origin: ", out);
        write_text(out, workload->origin);
    }
    fputc('\n', out);
}

/* Without exponent, which the reader does not take, and without noughts at the end. */
static void write_seconds(FILE *out, const char *key, double seconds)
{
    char text[64];
    int length = snprintf(text, sizeof(text), "%.9f", seconds);
    while (text[length - 1] == '0') {
        text[--length] = '\0';
    }
    if (text[length - 1] == '.') {
        text[--length] = '\0';
    }
    fprintf(out, "  %s: %s\n", key, text);
}

static void write_load(FILE *out, const struct load_settings *load)
{
    fprintf(out, "load:\n  threads: %u\n  clients: %u\n  outstanding: %u\n", load->threads,
            load->clients, load->outstanding);
    write_seconds(out, "warmup_s", load->warmup_s);
    write_seconds(out, "duration_s", load->duration_s);
    write_seconds(out, "timeout_s", load->timeout_s);
}

char *experiment_format(const struct experiment *experiment)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) {
        return NULL;
    }
    fprintf(out, "name: \"%s\"\n", experiment->name);
    write_target(out, &experiment->target);
    write_workload(out, &experiment->workload);
    write_load(out, &experiment->load);
    write_axes(out, &experiment->axes);
    fprintf(out, "repetitions:\n  starts: %u\n  runs_per_start: %u\n",
            experiment->repetitions.starts, experiment->repetitions.runs_per_start);
    fprintf(out, "order: %s\nseed: %llu\n", run_order_name(experiment->order),
            (unsigned long long)experiment->seed);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}
