#include "load/text.h"

#include <string.h>
#include <time.h>

/* dnsperf's values begin in column 24. */
#define LABEL "  %-21s "

static double percent(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : 100 * (double)part / (double)whole;
}

static uint64_t mean_size(uint64_t bytes, uint64_t count)
{
    return count == 0 ? 0 : bytes / count;
}

static double seconds(double ns)
{
    return ns / (double)NS_PER_S;
}

static void print_command_line(FILE *out, int argc, char **argv)
{
    fputs("[Status] Command line: dnscope", out);
    for (int i = 0; i < argc; i++) {
        fprintf(out, " %s", argv[i]);
    }
    fputc('\n', out);
}

static void print_stop_condition(FILE *out, const struct load_options *options)
{
    fputs("[Status] Stopping after ", out);
    if (options->time_limit_s > 0) {
        fprintf(out, "%.6f seconds", options->time_limit_s);
    }
    if (options->time_limit_s > 0 && options->runs > 0) {
        fputs(" or ", out);
    }
    if (options->runs > 0) {
        fprintf(out, "%llu run%s through file", (unsigned long long)options->runs,
                options->runs == 1 ? "" : "s");
    }
    fputc('\n', out);
}

void load_text_start(FILE *out, int argc, char **argv, const struct load_options *options,
                     const struct load_result *result)
{
    bool is_v6 = strchr(result->server_address, ':') != NULL;
    char started_at[64];
    struct tm local;
    time_t now = time(NULL);
    localtime_r(&now, &local);
    strftime(started_at, sizeof(started_at), "%a %b %e %H:%M:%S %Y", &local);
    fputs("DNS Performance Testing Tool\n"
          "Version " DNSCOPE_VERSION " (dnscope load)\n\n",
          out);
    print_command_line(out, argc, argv);
    fprintf(out, "[Status] Sending queries (to %s%s%s:%u)\n", is_v6 ? "[" : "",
            result->server_address, is_v6 ? "]" : "", result->server_port);
    fprintf(out, "[Status] Started at: %s\n", started_at);
    print_stop_condition(out, options);
    fflush(out);
}

static double interval_qps(const struct load_interval *interval)
{
    double length_s = interval->end_s - interval->start_s;
    return length_s > 0 ? (double)interval->completed / length_s : 0;
}

static void print_interval(FILE *out, const char *id, const struct load_interval *interval)
{
    fprintf(out, "[%3s] %7.2f-%-7.2f sec %10llu queries %12.2f qps%s\n", id, interval->start_s,
            interval->end_s, (unsigned long long)interval->completed, interval_qps(interval),
            interval->omitted ? " (omitted)" : "");
}

void load_text_interval(FILE *out, double time_s, const struct load_interval *sum,
                        const struct load_interval *threads, uint32_t thread_count)
{
    if (!sum->omitted) {
        fprintf(out, "%.6f: %.6f\n", time_s, interval_qps(sum));
    }
    for (uint32_t i = 0; i < thread_count; i++) {
        char id[16];
        snprintf(id, sizeof(id), "%u", i);
        print_interval(out, id, &threads[i]);
    }
    if (thread_count > 1) {
        print_interval(out, "SUM", sum);
    }
    fflush(out);
}

static void print_rcodes(FILE *out, const struct load_counts *counts)
{
    const char *separator = "";
    fprintf(out, LABEL, "Response codes:");
    for (unsigned rcode = 0; rcode < LOAD_RCODES; rcode++) {
        if (counts->rcodes[rcode] > 0) {
            fprintf(out, "%s%s %llu (%.2f%%)", separator, load_rcode_name(rcode),
                    (unsigned long long)counts->rcodes[rcode],
                    percent(counts->rcodes[rcode], counts->completed));
            separator = ", ";
        }
    }
    fputc('\n', out);
}

static void print_count(FILE *out, const char *label, uint64_t count)
{
    fprintf(out, LABEL "%llu\n", label, (unsigned long long)count);
}

static void print_share(FILE *out, const char *label, uint64_t count, uint64_t whole)
{
    fprintf(out, LABEL "%llu (%.2f%%)\n", label, (unsigned long long)count, percent(count, whole));
}

/* dnsperf's block. */
static void print_dnsperf_block(FILE *out, const struct load_result *result)
{
    const struct load_counts *counts = &result->phases[LOAD_MEASURED].counts;
    const struct histogram *latency = &result->phases[LOAD_MEASURED].latency_ns;
    fputs("Statistics:\n\n", out);
    print_count(out, "Queries sent:", counts->sent);
    print_share(out, "Queries completed:", counts->completed, counts->sent);
    print_share(out, "Queries lost:", counts->lost, counts->sent);
    if (counts->interrupted > 0) {
        print_share(out, "Queries interrupted:", counts->interrupted, counts->sent);
    }
    fputc('\n', out);
    print_rcodes(out, counts);
    fprintf(out, LABEL "request %llu, response %llu\n", "Average packet size:",
            (unsigned long long)mean_size(counts->request_bytes, counts->sent),
            (unsigned long long)mean_size(counts->response_bytes, counts->completed));
    fprintf(out, LABEL "%.6f\n", "Run time (s):", result->run_time_s);
    fprintf(out, LABEL "%.6f\n", "Queries per second:", load_result_qps(result));
    fputc('\n', out);
    fprintf(out, LABEL "%.6f (min %.6f, max %.6f)\n",
            "Average Latency (s):", seconds(histogram_mean(latency)), seconds((double)latency->min),
            seconds((double)latency->max));
    if (latency->count > 1) {
        fprintf(out, LABEL "%.6f\n", "Latency StdDev (s):", seconds(histogram_stddev(latency)));
    }
    fputc('\n', out);
}

static void print_percentiles(FILE *out, const struct histogram *latency)
{
    static const struct {
        const char *label;
        double fraction;
    } rows[] = {
        {"Latency p50 (s):", 0.5},
        {"Latency p90 (s):", 0.9},
        {"Latency p99 (s):", 0.99},
        {"Latency p99.9 (s):", 0.999},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        fprintf(out, LABEL "%.6f\n", rows[i].label,
                seconds(histogram_quantile(latency, rows[i].fraction)));
    }
}

/* Counts that are zero in an ordinary run; those that are not, one a line. */
static void print_odd_counts(FILE *out, const struct load_counts *counts)
{
    const struct {
        const char *label;
        uint64_t count;
    } rows[] = {
        {"Refused (ICMP):", counts->refused},
        {"Truncated (TC):", counts->truncated},
        {"Late replies:", counts->late},
        {"Duplicate replies:", counts->duplicate},
        {"Mismatched replies:", counts->mismatched},
        {"Malformed replies:", counts->malformed},
        {"Unexpected replies:", counts->unexpected},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
        if (rows[i].count > 0) {
            print_count(out, rows[i].label, rows[i].count);
        }
    }
}

static void print_client(FILE *out, const struct load_result *result)
{
    const struct load_client *client = &result->client;
    double cpu_us = (client->user_s + client->system_s) * 1e6;
    uint64_t completed = result->phases[LOAD_MEASURED].counts.completed;
    const struct load_thread *busiest = &client->threads[0];
    for (size_t i = 1; i < client->thread_count; i++) {
        const struct load_thread *thread = &client->threads[i];
        busiest = thread->cpu_share > busiest->cpu_share ? thread : busiest;
    }
    fprintf(out, LABEL "user %.6f, system %.6f (%.3f us per query)\n",
            "Client CPU (s):", client->user_s, client->system_s,
            completed == 0 ? 0 : cpu_us / (double)completed);
    if (result->run_time_s < LOAD_SHARE_MIN_S) {
        return;
    }
    fprintf(out, LABEL "%.2f%% of a CPU, %.2f%% waiting for one\n",
            "Busiest thread:", 100 * busiest->cpu_share, 100 * busiest->wait_share);
}

static void print_flags(FILE *out, unsigned flags)
{
    const char *separator = "";
    fprintf(out, LABEL, "Flags:");
    for (unsigned bit = 0; bit < LOAD_FLAGS; bit++) {
        if (flags & 1u << bit) {
            fprintf(out, "%s%s", separator, load_flag_name(bit));
            separator = ", ";
        }
    }
    fputs(flags == 0 ? "none\n" : "\n", out);
}

static const char *end_reason(const struct load_result *result)
{
    if (result->interrupted) {
        return "interruption";
    }
    if (result->gave_up) {
        return "refused by the server";
    }
    return result->end_of_file ? "end of file" : "time limit";
}

void load_text_result(FILE *out, const struct load_result *result)
{
    const struct load_counts *warmup = &result->phases[LOAD_WARMUP].counts;
    fprintf(out, "[Status] Testing complete (%s)\n\n", end_reason(result));
    print_dnsperf_block(out, result);
    print_percentiles(out, &result->phases[LOAD_MEASURED].latency_ns);
    fprintf(out, LABEL "%.1f of %u\n", "Mean outstanding:", load_result_outstanding_mean(result),
            result->outstanding);
    print_odd_counts(out, &result->phases[LOAD_MEASURED].counts);
    if (warmup->sent > 0) {
        fprintf(out, LABEL "sent %llu, completed %llu, lost %llu\n",
                "Warm-up (omitted):", (unsigned long long)warmup->sent,
                (unsigned long long)warmup->completed, (unsigned long long)warmup->lost);
    }
    if (result->client.socket_drops > 0) {
        print_count(out, "Dropped by client:", result->client.socket_drops);
    }
    print_client(out, result);
    print_flags(out, result->flags);
    fputc('\n', out);
    fflush(out);
}
