#include "load/monitor.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"

/* The end of a run is no interval of its own below this part of the usual length. */
#define SPLINTER_PART 10

/*
 * Where the present interval ends: a whole number of intervals after the phase began, so that being
 * late once does not shift the others; phases begin with a new interval, and the last one lasts
 * until everything is in.
 */
static uint64_t interval_end(const struct monitor *monitor)
{
    const struct load_plan *plan = monitor->plan;
    bool is_warmup = monitor->phase == LOAD_WARMUP;
    uint64_t phase_ns = is_warmup ? plan->start_ns : plan->measure_ns;
    uint64_t passed_ns = monitor->begin_ns > phase_ns ? monitor->begin_ns - phase_ns : 0;
    uint64_t end_ns = phase_ns + (passed_ns / monitor->interval_ns + 1) * monitor->interval_ns;
    if (is_warmup) {
        return end_ns < plan->measure_ns ? end_ns : plan->measure_ns;
    }
    return end_ns < plan->stop_ns ? end_ns : UINT64_MAX;
}

static void enter_phase(struct monitor *monitor, enum load_phase_kind phase)
{
    monitor->phase = phase;
    memset(monitor->last, 0, monitor->plan->threads * sizeof(*monitor->last));
    if (phase == LOAD_MEASURED) {
        getrusage(RUSAGE_SELF, &monitor->measure_usage);
    }
}

int monitor_init(struct monitor *monitor, const struct load_plan *plan,
                 struct load_worker **workers, const struct load_watcher *watcher,
                 double interval_s)
{
    double length_s = interval_s > 0 ? interval_s : MONITOR_DEFAULT_INTERVAL_S;
    *monitor = (struct monitor){
        .plan = plan,
        .workers = workers,
        .watcher = watcher,
        .interval_ns = (uint64_t)(length_s * (double)NS_PER_S),
        .begin_ns = plan->start_ns,
        .last = calloc(plan->threads, sizeof(*monitor->last)),
        .threads = calloc(plan->threads, sizeof(*monitor->threads)),
    };
    if (monitor->last == NULL || monitor->threads == NULL) {
        return ERR_MEMORY;
    }
    enter_phase(monitor, plan->warmup_ns > 0 ? LOAD_WARMUP : LOAD_MEASURED);
    monitor->next_tick_ns = interval_end(monitor);
    return 0;
}

void monitor_free(struct monitor *monitor)
{
    free(monitor->last);
    free(monitor->threads);
    free(monitor->intervals);
    *monitor = (struct monitor){0};
}

/* What a thread has counted since the last tick. */
static void read_thread(struct monitor *monitor, uint32_t index, const struct load_interval *times)
{
    const struct load_live *live = &monitor->workers[index]->live[monitor->phase];
    struct load_interval *last = &monitor->last[index];
    struct load_interval now = {
        .sent = atomic_load_explicit(&live->sent, memory_order_relaxed),
        .completed = atomic_load_explicit(&live->completed, memory_order_relaxed),
        .lost = atomic_load_explicit(&live->lost, memory_order_relaxed),
    };
    struct load_interval *part = &monitor->threads[index];
    *part = *times;
    part->sent = now.sent - last->sent;
    part->completed = now.completed - last->completed;
    part->lost = now.lost - last->lost;
    *last = now;
}

static int append(struct monitor *monitor, const struct load_interval *interval)
{
    if (monitor->intervals == NULL || monitor->count == monitor->capacity) {
        size_t capacity = monitor->capacity == 0 ? 64 : 2 * monitor->capacity;
        struct load_interval *grown =
            reallocarray(monitor->intervals, capacity, sizeof(*monitor->intervals));
        if (grown == NULL) {
            return ERR_MEMORY;
        }
        monitor->intervals = grown;
        monitor->capacity = capacity;
    }
    monitor->intervals[monitor->count++] = *interval;
    return 0;
}

/* Reads the present interval, which ends at `end_ns`. */
static struct load_interval read_interval(struct monitor *monitor, uint64_t end_ns)
{
    uint64_t start_ns = monitor->plan->start_ns;
    struct load_interval sum = {
        .start_s = (double)(monitor->begin_ns - start_ns) / (double)NS_PER_S,
        .end_s = (double)(end_ns - start_ns) / (double)NS_PER_S,
        .omitted = monitor->phase == LOAD_WARMUP,
    };
    const struct load_interval times = sum;
    for (uint32_t i = 0; i < monitor->plan->threads; i++) {
        read_thread(monitor, i, &times);
        sum.sent += monitor->threads[i].sent;
        sum.completed += monitor->threads[i].completed;
        sum.lost += monitor->threads[i].lost;
    }
    return sum;
}

/* Remembers the present interval, which ends at `end_ns`. */
static int close_interval(struct monitor *monitor, uint64_t end_ns)
{
    struct load_interval sum = read_interval(monitor, end_ns);
    int status = append(monitor, &sum);
    if (status == 0 && monitor->watcher->on_interval != NULL) {
        monitor->watcher->on_interval(monitor->watcher->context, &sum, monitor->threads,
                                      monitor->plan->threads);
    }
    monitor->begin_ns = end_ns;
    return status;
}

int monitor_tick(struct monitor *monitor, uint64_t now_ns)
{
    int status = close_interval(monitor, now_ns);
    if (monitor->phase == LOAD_WARMUP && now_ns >= monitor->plan->measure_ns) {
        enter_phase(monitor, LOAD_MEASURED);
    }
    monitor->next_tick_ns = interval_end(monitor);
    return status;
}

static double seconds(struct timeval from, struct timeval to)
{
    return (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_usec - from.tv_usec) / 1e6;
}

static void note_usage(const struct rusage *begin, struct load_client *client)
{
    struct rusage end;
    getrusage(RUSAGE_SELF, &end);
    client->user_s = seconds(begin->ru_utime, end.ru_utime);
    client->system_s = seconds(begin->ru_stime, end.ru_stime);
    client->voluntary_switches = (uint64_t)(end.ru_nvcsw - begin->ru_nvcsw);
    client->involuntary_switches = (uint64_t)(end.ru_nivcsw - begin->ru_nivcsw);
}

/* What came after the last tick: an interval, or if that would be a mere splinter, the last one's
 * rest. */
static int close_last_interval(struct monitor *monitor, uint64_t end_ns)
{
    struct load_interval *last =
        monitor->count == 0 ? NULL : &monitor->intervals[monitor->count - 1];
    uint64_t splinter_ns = monitor->interval_ns / SPLINTER_PART;
    if (last == NULL || last->omitted != (monitor->phase == LOAD_WARMUP) ||
        end_ns >= monitor->begin_ns + splinter_ns) {
        return close_interval(monitor, end_ns);
    }
    struct load_interval rest = read_interval(monitor, end_ns);
    last->end_s = rest.end_s;
    last->sent += rest.sent;
    last->completed += rest.completed;
    last->lost += rest.lost;
    return 0;
}

int monitor_finish(struct monitor *monitor, uint64_t end_ns, struct load_result *result)
{
    if (monitor->phase == LOAD_MEASURED) {
        note_usage(&monitor->measure_usage, &result->client);
    }
    int status =
        close_last_interval(monitor, end_ns > monitor->begin_ns ? end_ns : monitor->begin_ns);
    result->intervals = monitor->intervals;
    result->interval_count = monitor->count;
    monitor->intervals = NULL;
    return status;
}
