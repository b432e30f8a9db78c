#include "load/result.h"

#include <stdlib.h>

#include "core/check.h"

void load_result_free(struct load_result *result)
{
    free(result->intervals);
    free(result->client.threads);
    *result = (struct load_result){0};
}

static void merge_counts(struct load_counts *into, const struct load_counts *from)
{
    into->sent += from->sent;
    into->completed += from->completed;
    into->lost += from->lost;
    into->interrupted += from->interrupted;
    into->late += from->late;
    into->duplicate += from->duplicate;
    into->mismatched += from->mismatched;
    into->malformed += from->malformed;
    into->unexpected += from->unexpected;
    into->refused += from->refused;
    into->truncated += from->truncated;
    into->request_bytes += from->request_bytes;
    into->response_bytes += from->response_bytes;
    for (unsigned rcode = 0; rcode < LOAD_RCODES; rcode++) {
        into->rcodes[rcode] += from->rcodes[rcode];
    }
}

void load_phase_merge(struct load_phase *into, const struct load_phase *from)
{
    merge_counts(&into->counts, &from->counts);
    histogram_merge(&into->latency_ns, &from->latency_ns);
    if (from->last_event_ns > into->last_event_ns) {
        into->last_event_ns = from->last_event_ns;
    }
}

double load_result_qps(const struct load_result *result)
{
    double completed = (double)result->phases[LOAD_MEASURED].counts.completed;
    return result->run_time_s > 0 ? completed / result->run_time_s : 0;
}

double load_result_outstanding_mean(const struct load_result *result)
{
    double latency_s = histogram_mean(&result->phases[LOAD_MEASURED].latency_ns) / (double)NS_PER_S;
    return load_result_qps(result) * latency_s;
}

/* The flags that a sending thread's times give. */
static unsigned thread_flags(const struct load_thread *thread)
{
    return (thread->cpu_share > LOAD_GENERATOR_BOUND_SHARE ? LOAD_GENERATOR_BOUND : 0) |
           (thread->wait_share > LOAD_CPU_CONTENDED_SHARE ? LOAD_CPU_CONTENDED : 0);
}

unsigned load_result_flags(const struct load_result *result)
{
    const struct load_counts *counts = &result->phases[LOAD_MEASURED].counts;
    unsigned flags = 0;
    for (size_t i = 0; i < result->client.thread_count && result->run_time_s >= LOAD_SHARE_MIN_S;
         i++) {
        flags |= thread_flags(&result->client.threads[i]);
    }
    flags |= counts->lost > 0 ? LOAD_LOSSY : 0;
    flags |= counts->refused > 0 ? LOAD_REFUSED : 0;
    flags |=
        counts->mismatched + counts->malformed + counts->unexpected > 0 ? LOAD_WRONG_REPLIES : 0;
    flags |= counts->completed == 0 ? LOAD_NO_REPLIES : 0;
    flags |= result->client.socket_drops > 0 ? LOAD_CLIENT_DROPS : 0;
    flags |= result->run_time_s < 1 ? LOAD_SHORT : 0;
    return flags;
}

const char *load_flag_name(unsigned bit)
{
    static const char *const names[LOAD_FLAGS] = {
        "generator-bound", "lossy", "refused",       "wrong-replies",
        "no-replies",      "short", "cpu-contended", "client-drops",
    };
    CHECK(bit < LOAD_FLAGS);
    return names[bit];
}

const char *load_rcode_name(unsigned rcode)
{
    static const char *const names[LOAD_RCODES] = {
        "NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP",  "REFUSED", "YXDOMAIN", "YXRRSET",
        "NXRRSET", "NOTAUTH", "NOTZONE",  "rcode11",  "rcode12", "rcode13", "rcode14",  "rcode15",
    };
    CHECK(rcode < LOAD_RCODES);
    return names[rcode];
}
