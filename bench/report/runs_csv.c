#include "report/runs_csv.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A column: its heading, and the path to it in a record, "a/b" being member b of member a. */
struct column {
    const char *heading;
    const char *path;
};

static const struct column columns[] = {
    {"block", "block"},
    {"run", "run"},
    {"setup", "setup"},
    {"scope", "axes/scope"},
    {"vcpus", "axes/vcpus"},
    {"smt", "axes/smt"},
    {"placement", "axes/placement"},
    {"malloc", "axes/malloc"},
    {"confine", "axes/confine"},
    {"started_at", "started_at"},
    {"duration_s", "duration_s"},
    {"qps", "qps"},
    {"sent", "counts/sent"},
    {"completed", "counts/completed"},
    {"lost", "counts/lost"},
    {"late", "counts/late"},
    {"mismatched", "counts/mismatched"},
    {"latency_mean_us", "latency_us/mean"},
    {"latency_p50_us", "latency_us/p50"},
    {"latency_p90_us", "latency_us/p90"},
    {"latency_p99_us", "latency_us/p99"},
    {"latency_p999_us", "latency_us/p999"},
    {"latency_max_us", "latency_us/max"},
    {"client_user_s", "client/user_s"},
    {"client_system_s", "client/system_s"},
    {"target_user_s", "target/user_s"},
    {"target_system_s", "target/system_s"},
    {"target_voluntary_switches", "target/voluntary_switches"},
    {"target_involuntary_switches", "target/involuntary_switches"},
    {"steal_pct", "host/steal_pct"},
};

static const json_t *member_at(const json_t *record, const char *path)
{
    const char *slash = strchr(path, '/');
    if (slash == NULL) {
        return json_object_get(record, path);
    }
    const json_t *inner = json_object_getn(record, path, (size_t)(slash - path));
    return json_object_get(inner, slash + 1);
}

/* Quotes where RFC 4180 wants them. */
static void print_text(const char *text, FILE *out)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"') {
            fputc('"', out);
        }
        fputc(*text, out);
    }
    fputc('"', out);
}

static void print_value(const json_t *value, FILE *out)
{
    if (json_is_string(value)) {
        print_text(json_string_value(value), out);
    } else if (json_is_integer(value)) {
        fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    } else if (json_is_real(value)) {
        fprintf(out, "%.12g", json_real_value(value));
    } else if (json_is_object(value) || json_is_array(value)) {
        char *text = json_dumps(value, JSON_COMPACT);
        print_text(text != NULL ? text : "", out);
        free(text);
    }
}

static void print_flags(const json_t *flags, FILE *out)
{
    size_t index;
    const json_t *flag;
    json_array_foreach(flags, index, flag)
    {
        const char *text = json_string_value(flag);
        if (index > 0) {
            fputc(' ', out);
        }
        print_text(text != NULL ? text : "", out);
    }
}

void runs_csv_print(const struct results *results, FILE *out)
{
    for (size_t i = 0; i < ARRAY_LENGTH(columns); i++) {
        fprintf(out, "%s,", columns[i].heading);
    }
    fputs("counted,flags\r\n", out);
    for (size_t i = 0; i < results->run_count; i++) {
        const struct run *run = &results->runs[i];
        for (size_t c = 0; c < ARRAY_LENGTH(columns); c++) {
            print_value(member_at(run->record, columns[c].path), out);
            fputc(',', out);
        }
        fputs(run->counts ? "yes," : "no,", out);
        print_flags(json_object_get(run->record, "flags"), out);
        fputs("\r\n", out);
    }
}
