#include "load/json.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"

static json_t *count_json(uint64_t count)
{
    return json_integer((json_int_t)count);
}

static json_t *counts_json(const struct load_counts *counts)
{
    return json_pack(
        "{so so so so so so so so so so so}", "sent", count_json(counts->sent), "completed",
        count_json(counts->completed), "lost", count_json(counts->lost), "interrupted",
        count_json(counts->interrupted), "late", count_json(counts->late), "duplicate",
        count_json(counts->duplicate), "mismatched", count_json(counts->mismatched), "malformed",
        count_json(counts->malformed), "unexpected", count_json(counts->unexpected), "refused",
        count_json(counts->refused), "truncated", count_json(counts->truncated));
}

static json_t *rcodes_json(const struct load_counts *counts)
{
    json_t *rcodes = json_object();
    for (unsigned rcode = 0; rcode < LOAD_RCODES; rcode++) {
        if (counts->rcodes[rcode] > 0) {
            json_object_set_new(rcodes, load_rcode_name(rcode), count_json(counts->rcodes[rcode]));
        }
    }
    return rcodes;
}

static double us(double ns)
{
    return ns / (double)NS_PER_US;
}

static json_t *latency_json(const struct histogram *latency)
{
    return json_pack("{sf sf sf sf sf sf sf sf}", "mean", us(histogram_mean(latency)), "stddev",
                     us(histogram_stddev(latency)), "min", us((double)latency->min), "p50",
                     us(histogram_quantile(latency, 0.5)), "p90",
                     us(histogram_quantile(latency, 0.9)), "p99",
                     us(histogram_quantile(latency, 0.99)), "p999",
                     us(histogram_quantile(latency, 0.999)), "max", us((double)latency->max));
}

static json_t *interval_json(const struct load_interval *interval)
{
    double length_s = interval->end_s - interval->start_s;
    double qps = length_s > 0 ? (double)interval->completed / length_s : 0;
    return json_pack("{sf sf so so so sf sb}", "start_s", interval->start_s, "end_s",
                     interval->end_s, "sent", count_json(interval->sent), "completed",
                     count_json(interval->completed), "lost", count_json(interval->lost), "qps",
                     qps, "omitted", interval->omitted);
}

static json_t *intervals_json(const struct load_result *result)
{
    json_t *intervals = json_array();
    for (size_t i = 0; i < result->interval_count; i++) {
        json_array_append_new(intervals, interval_json(&result->intervals[i]));
    }
    return intervals;
}

static json_t *thread_json(const struct load_thread *thread)
{
    return json_pack("{si ss ss si sf sf}", "tid", (int)thread->tid, "name", thread->name,
                     "allowed", thread->allowed, "last_cpu", thread->last_cpu, "cpu_share",
                     thread->cpu_share, "wait_share", thread->wait_share);
}

static json_t *client_json(const struct load_client *client)
{
    json_t *threads = json_array();
    for (size_t i = 0; i < client->thread_count; i++) {
        json_array_append_new(threads, thread_json(&client->threads[i]));
    }
    return json_pack("{si sf sf so so so so s{}}", "pid", (int)getpid(), "user_s", client->user_s,
                     "system_s", client->system_s, "voluntary_switches",
                     count_json(client->voluntary_switches), "involuntary_switches",
                     count_json(client->involuntary_switches), "socket_drops",
                     count_json(client->socket_drops), "threads", threads, "pscope");
}

static json_t *flags_json(unsigned flags)
{
    json_t *names = json_array();
    for (unsigned bit = 0; bit < LOAD_FLAGS; bit++) {
        if (flags & 1u << bit) {
            json_array_append_new(names, json_string(load_flag_name(bit)));
        }
    }
    return names;
}

static double mean(uint64_t sum, uint64_t count)
{
    return count == 0 ? 0 : (double)sum / (double)count;
}

/* What was asked for. */
static json_t *setup_json(const struct load_result *result)
{
    return json_pack("{ss ss sf sf s{ss si} si si si sf ss si}", "version", DNSCOPE_VERSION,
                     "started_at", result->started_at, "warmup_s", result->warmup_s, "duration_s",
                     result->duration_s, "server", "address", result->server_address, "port",
                     (int)result->server_port, "threads", (int)result->threads, "clients",
                     (int)result->clients, "outstanding", (int)result->outstanding, "timeout_s",
                     result->timeout_s, "scope", result->scope, "vcpus", (int)result->vcpus);
}

/* What was found. */
static json_t *findings_json(const struct load_result *result)
{
    const struct load_phase *measured = &result->phases[LOAD_MEASURED];
    const struct load_counts *counts = &measured->counts;
    return json_pack("{sf so so sf sf sf sf so so so so sb}", "run_time_s", result->run_time_s,
                     "counts", counts_json(counts), "rcodes", rcodes_json(counts), "qps",
                     load_result_qps(result), "outstanding_mean",
                     load_result_outstanding_mean(result), "request_bytes_mean",
                     mean(counts->request_bytes, counts->sent), "response_bytes_mean",
                     mean(counts->response_bytes, counts->completed), "latency_us",
                     latency_json(&measured->latency_ns), "intervals", intervals_json(result),
                     "client", client_json(&result->client), "flags", flags_json(result->flags),
                     "interrupted", result->interrupted);
}

/* The whole object; NULL when memory is short. */
static json_t *result_json(const struct load_result *result)
{
    json_t *object = setup_json(result);
    json_t *findings = findings_json(result);
    if (object != NULL && findings != NULL && json_object_update(object, findings) == 0) {
        json_decref(findings);
        return object;
    }
    json_decref(object);
    json_decref(findings);
    return NULL;
}

int load_json_write(struct output *output, const struct load_result *result, struct diag *diag)
{
    json_t *object = result_json(result);
    char *text =
        object == NULL ? NULL : json_dumps(object, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
    char *line = NULL;
    int length = text == NULL ? -1 : asprintf(&line, "%s\n", text);
    int status = length < 0 ? diag_fail(diag, ERR_MEMORY, NULL, 0, "no memory for the JSON result")
                            : output_write(output, line, (size_t)length, diag);
    free(length < 0 ? NULL : line);
    free(text);
    json_decref(object);
    return status;
}
