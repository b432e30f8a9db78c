#include "load/worker.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/check.h"
#include "core/clock.h"
#include "core/error.h"
#include "cpu/affinity.h"
#include "cpu/cpu_set.h"
#include "dns/protocol.h"
#include "dns/response_check.h"
#include "dns/wire.h"

/* A server that refuses is asked again after so long, and given up after so long without a word. */
#define REFUSAL_HOLD_NS    (10 * NS_PER_MS)
#define REFUSAL_GIVE_UP_NS (1 * NS_PER_S)
/* A socket that would not take a query, for whatever reason, is tried again after so long. */
#define SEND_RETRY_NS NS_PER_MS

#define NEVER UINT64_MAX

static enum load_phase_kind phase_of(const struct load_worker *worker, uint64_t time_ns)
{
    return time_ns < worker->plan->measure_ns ? LOAD_WARMUP : LOAD_MEASURED;
}

/* Queries count for the phase in which they were sent, whenever they end. */
static struct load_phase *phase_of_slot(struct load_worker *worker, const struct id_slot *slot)
{
    return &worker->phases[phase_of(worker, slot->sent_ns)];
}

/* dnsperf's line for -v; `outcome` is an RCODE, "T" for lost or "I" for interrupted. */
static void print_query(const struct load_worker *worker, const struct id_slot *slot,
                        const char *outcome, uint64_t latency_ns)
{
    const struct query_line *line = &worker->plan->queries->lines[slot->query];
    FILE *out = worker->plan->query_lines;
    flockfile(out);
    fprintf(out, "> %s %.*s", outcome, (int)line->length, line->text);
    if (latency_ns != NEVER) {
        fprintf(out, " %llu.%06llu", (unsigned long long)(latency_ns / NS_PER_S),
                (unsigned long long)(latency_ns % NS_PER_S / NS_PER_US));
    }
    fputc('\n', out);
    funlockfile(out);
}

static void end_as_lost(struct load_worker *worker, struct flow *flow, struct id_slot *slot)
{
    id_table_end(&flow->ids, slot, ID_LOST);
    worker->in_flight--;
    phase_of_slot(worker, slot)->counts.lost++;
    if (worker->plan->query_lines != NULL) {
        print_query(worker, slot, "T", NEVER);
    }
}

static void end_as_interrupted(struct load_worker *worker, struct flow *flow, struct id_slot *slot)
{
    id_table_end(&flow->ids, slot, ID_DONE);
    worker->in_flight--;
    phase_of_slot(worker, slot)->counts.interrupted++;
    if (worker->plan->query_lines != NULL) {
        print_query(worker, slot, "I", NEVER);
    }
}

static void interrupt_all(struct load_worker *worker)
{
    for (uint32_t i = 0; i < worker->flow_count; i++) {
        struct flow *flow = &worker->flows[i];
        struct id_slot *slot;
        while ((slot = id_table_oldest(&flow->ids)) != NULL) {
            end_as_interrupted(worker, flow, slot);
        }
    }
}

/* Ends the queries whose time is over, and finds out when the next one's will be. */
static void expire(struct load_worker *worker, uint64_t now_ns)
{
    if (now_ns < worker->next_expiry_ns) {
        return;
    }
    uint64_t timeout_ns = worker->plan->timeout_ns;
    uint64_t next_ns = now_ns + timeout_ns;
    for (uint32_t i = 0; i < worker->flow_count; i++) {
        struct flow *flow = &worker->flows[i];
        struct id_slot *slot;
        while ((slot = id_table_oldest(&flow->ids)) != NULL) {
            uint64_t deadline_ns = slot->sent_ns + timeout_ns;
            if (deadline_ns > now_ns) {
                next_ns = deadline_ns < next_ns ? deadline_ns : next_ns;
                break;
            }
            end_as_lost(worker, flow, slot);
        }
    }
    worker->next_expiry_ns = next_ns;
}

/* Sets up what is counted anew in a phase: where in the query set it begins and how many it has. */
static void begin_phase(struct load_worker *worker, enum load_phase_kind phase, uint64_t now_ns)
{
    const struct load_plan *plan = worker->plan;
    worker->phase = phase;
    worker->position = worker->index % plan->queries->count;
    worker->remaining = NEVER;
    if (phase == LOAD_MEASURED) {
        if (plan->query_limit != NEVER) {
            uint64_t limit = plan->query_limit;
            worker->remaining =
                limit <= worker->index ? 0 : (limit - worker->index - 1) / plan->threads + 1;
        }
        worker->phase_time = thread_time_now();
        worker->phase_start_ns = now_ns;
    }
}

static void enter_phase(struct load_worker *worker, uint64_t now_ns)
{
    enum load_phase_kind phase = phase_of(worker, now_ns);
    if (phase != worker->phase) {
        begin_phase(worker, phase, now_ns);
    }
}

static bool sending_is_over(const struct load_worker *worker, uint64_t now_ns)
{
    return now_ns >= worker->plan->stop_ns || worker->remaining == 0;
}

/* Copies the next query of the set into place `at` of the batch, under the slot's ID. */
static void prepare_query(struct load_worker *worker, unsigned at, const struct id_slot *slot)
{
    const struct query_set *queries = worker->plan->queries;
    const struct query *query = &queries->queries[slot->query];
    uint8_t *octets = worker->outgoing.octets[at];
    memcpy(octets, query_set_wire(queries, query), query->size_bytes);
    wire_put_u16(octets, id_slot_id(slot));
    worker->outgoing.vectors[at].iov_len = query->size_bytes;
}

/* The position `steps` queries of this thread further on. */
static uint64_t advance(const struct load_worker *worker, uint64_t position, uint64_t steps)
{
    return (position + steps * worker->plan->threads) % worker->plan->queries->count;
}

static void count_sent(struct load_worker *worker, unsigned sent, uint64_t now_ns)
{
    struct load_phase *phase = &worker->phases[worker->phase];
    if (sent == 0) {
        return;
    }
    for (unsigned i = 0; i < sent; i++) {
        phase->counts.request_bytes += worker->outgoing.vectors[i].iov_len;
    }
    phase->counts.sent += sent;
    phase->last_event_ns = now_ns;
    worker->position = advance(worker, worker->position, sent);
    worker->remaining -= worker->remaining == NEVER ? 0 : sent;
    worker->in_flight += sent;
}

/* An ICMP error ends the query that it quotes, or the oldest one when it quotes too little. */
static void take_refusal(struct load_worker *worker, struct flow *flow,
                         const struct flow_refusal *refusal, uint64_t now_ns)
{
    struct id_slot *slot =
        refusal->has_id ? id_table_find(&flow->ids, refusal->id) : id_table_oldest(&flow->ids);
    worker->hold_until_ns = now_ns + REFUSAL_HOLD_NS;
    worker->refusal_errno = refusal->error_number;
    if (worker->first_refusal_ns == 0) {
        worker->first_refusal_ns = now_ns;
    }
    worker->gave_up = !worker->completed && now_ns - worker->first_refusal_ns >= REFUSAL_GIVE_UP_NS;
    if (slot != NULL && slot->state == ID_IN_FLIGHT) {
        phase_of_slot(worker, slot)->counts.refused++;
        end_as_lost(worker, flow, slot);
    }
}

static void take_refusals(struct load_worker *worker, struct flow *flow)
{
    struct flow_refusal refusal;
    uint64_t now_ns = clock_monotonic_ns();
    while (flow_next_refusal(flow, &refusal)) {
        take_refusal(worker, flow, &refusal, now_ns);
    }
}

/* Sends up to `wanted` queries on a flow; how many, or a code of enum error. `now_ns` is what
 * their latency begins with, and in this thread's present phase. */
static int send_batch(struct load_worker *worker, struct flow *flow, unsigned wanted,
                      uint64_t now_ns)
{
    struct id_slot *slots[FLOW_BATCH];
    uint64_t position = worker->position;
    unsigned count = 0;
    for (; count < wanted; count++) {
        slots[count] = id_table_take(&flow->ids, (uint32_t)position, now_ns);
        if (slots[count] == NULL) {
            break;
        }
        prepare_query(worker, count, slots[count]);
        position = advance(worker, position, 1);
    }
    if (count == 0) {
        return 0;
    }
    int sent = flow_send(flow, &worker->outgoing, count, &worker->diag);
    unsigned taken = sent < 0 ? 0 : (unsigned)sent;
    if (taken < count) {
        id_table_untake(&flow->ids, slots[taken]);
    }
    count_sent(worker, taken, now_ns);
    return sent;
}

static unsigned batch_size(const struct load_worker *worker)
{
    uint64_t size = worker->window - worker->in_flight;
    if (size > worker->flow_batch) {
        size = worker->flow_batch;
    }
    return (unsigned)(size < worker->remaining ? size : worker->remaining);
}

static bool may_send(const struct load_worker *worker, uint64_t now_ns)
{
    return worker->in_flight < worker->window && now_ns >= worker->hold_until_ns &&
           !sending_is_over(worker, now_ns);
}

/* Fills the window, flow after flow. 0 or a code of enum error. */
static int send_round(struct load_worker *worker)
{
    uint32_t idle = 0; /* flows in a row that took nothing */
    uint64_t now_ns = clock_monotonic_ns();
    for (enter_phase(worker, now_ns); idle < worker->flow_count && may_send(worker, now_ns);
         enter_phase(worker, now_ns)) {
        struct flow *flow = &worker->flows[worker->next_flow];
        worker->next_flow = (worker->next_flow + 1) % worker->flow_count;
        int sent = send_batch(worker, flow, batch_size(worker), now_ns);
        if (sent < 0) {
            return sent;
        }
        if (sent == 0) {
            take_refusals(worker, flow);
        }
        idle = sent == 0 ? idle + 1 : 0;
        now_ns = clock_monotonic_ns();
    }
    if (idle == worker->flow_count && worker->hold_until_ns < now_ns) {
        worker->hold_until_ns = now_ns + SEND_RETRY_NS;
    }
    return 0;
}

/* A right reply to a query that is in flight and in time. */
static void complete_query(struct load_worker *worker, struct flow *flow, struct id_slot *slot,
                           const uint8_t *octets, size_t size, uint64_t now_ns)
{
    struct load_phase *phase = phase_of_slot(worker, slot);
    unsigned flags = wire_get_u16(octets + 2);
    uint64_t latency_ns = now_ns - slot->sent_ns;
    id_table_end(&flow->ids, slot, ID_DONE);
    worker->in_flight--;
    worker->completed = true;
    phase->counts.completed++;
    phase->counts.truncated += (flags & DNS_FLAG_TC) != 0;
    phase->counts.response_bytes += size;
    phase->counts.rcodes[flags & DNS_RCODE_MASK]++;
    phase->last_event_ns = now_ns;
    histogram_record(&phase->latency_ns, latency_ns);
    if (worker->plan->query_lines != NULL) {
        print_query(worker, slot, load_rcode_name(flags & DNS_RCODE_MASK), latency_ns);
    }
}

/* A right reply: the query's end, unless it has ended already. */
static void take_answer(struct load_worker *worker, struct flow *flow, struct id_slot *slot,
                        const uint8_t *octets, size_t size, uint64_t now_ns)
{
    struct load_counts *counts = &phase_of_slot(worker, slot)->counts;
    bool in_time = now_ns - slot->sent_ns < worker->plan->timeout_ns;
    if (slot->state == ID_IN_FLIGHT && in_time) {
        complete_query(worker, flow, slot, octets, size, now_ns);
        return;
    }
    if (slot->state == ID_DONE) {
        counts->duplicate++;
        return;
    }
    if (slot->state == ID_IN_FLIGHT) {
        end_as_lost(worker, flow, slot);
    }
    worker->completed = true;
    counts->late++;
    slot->state = ID_DONE;
}

/* Counts one datagram of `size` octets, the first `kept` of which are at `octets`. */
static void take_reply(struct load_worker *worker, struct flow *flow, const uint8_t *octets,
                       size_t kept, size_t size, uint64_t now_ns)
{
    struct load_counts *counts = &worker->phases[phase_of(worker, now_ns)].counts;
    struct id_slot *slot =
        kept < DNS_HEADER_BYTES ? NULL : id_table_find(&flow->ids, wire_get_u16(octets));
    if (slot == NULL) {
        bool is_response = kept >= DNS_HEADER_BYTES && (wire_get_u16(octets + 2) & DNS_FLAG_QR);
        counts->malformed += !is_response;
        counts->unexpected += is_response;
        return;
    }
    const struct query_set *queries = worker->plan->queries;
    const struct query *query = &queries->queries[slot->query];
    counts = &phase_of_slot(worker, slot)->counts;
    switch (response_check(query_set_wire(queries, query), query->size_bytes, octets, kept)) {
    case RESPONSE_ACCEPTED:
        take_answer(worker, flow, slot, octets, size, now_ns);
        break;
    case RESPONSE_MALFORMED:
        counts->malformed++;
        break;
    case RESPONSE_MISMATCHED:
        counts->mismatched++;
        break;
    }
}

static int receive_batch(struct load_worker *worker, struct flow *flow)
{
    int received = flow_receive(flow, &worker->incoming, &worker->diag);
    uint64_t now_ns = clock_monotonic_ns();
    for (int i = 0; i < received; i++) {
        size_t size = worker->incoming.headers[i].msg_len;
        size_t kept = size < FLOW_DATAGRAM_BYTES ? size : FLOW_DATAGRAM_BYTES;
        take_reply(worker, flow, worker->incoming.octets[i], kept, size, now_ns);
    }
    return received < 0 ? received : 0;
}

/* When ppoll(2) must return although nothing came. */
static uint64_t wake_time(const struct load_worker *worker, uint64_t now_ns)
{
    uint64_t wake_ns = worker->next_expiry_ns;
    if (now_ns < worker->plan->stop_ns && worker->plan->stop_ns < wake_ns) {
        wake_ns = worker->plan->stop_ns;
    }
    if (now_ns < worker->hold_until_ns && worker->hold_until_ns < wake_ns) {
        wake_ns = worker->hold_until_ns;
    }
    return wake_ns;
}

/* Sleeps until a flow has something; 0 or ERR_SYSTEM. */
static int wait_for_flows(struct load_worker *worker)
{
    uint64_t now_ns = clock_monotonic_ns();
    uint64_t wake_ns = wake_time(worker, now_ns);
    uint64_t sleep_ns = wake_ns > now_ns ? wake_ns - now_ns : 0;
    struct timespec timeout = {
        .tv_sec = (time_t)(sleep_ns / NS_PER_S),
        .tv_nsec = (long)(sleep_ns % NS_PER_S),
    };
    for (uint32_t i = 0; i < worker->flow_count; i++) {
        worker->polls[i].revents = 0;
    }
    if (ppoll(worker->polls, worker->flow_count + 1, &timeout, NULL) < 0 && errno != EINTR) {
        return diag_fail_errno(&worker->diag, NULL, "cannot wait for replies");
    }
    return 0;
}

static int receive_round(struct load_worker *worker)
{
    int status = wait_for_flows(worker);
    for (uint32_t i = 0; i < worker->flow_count && status == 0; i++) {
        short events = worker->polls[i].revents;
        if (events & POLLERR) {
            take_refusals(worker, &worker->flows[i]);
        }
        if (events != 0) {
            status = receive_batch(worker, &worker->flows[i]);
        }
    }
    return status;
}

static void publish(struct load_worker *worker)
{
    for (unsigned i = 0; i < LOAD_PHASES; i++) {
        const struct load_counts *counts = &worker->phases[i].counts;
        struct load_live *live = &worker->live[i];
        atomic_store_explicit(&live->sent, counts->sent, memory_order_relaxed);
        atomic_store_explicit(&live->completed, counts->completed, memory_order_relaxed);
        atomic_store_explicit(&live->lost, counts->lost, memory_order_relaxed);
    }
}

/* The end of sending: what the wait for the last replies adds is no sign of a busy thread. */
static void note_send_end(struct load_worker *worker, uint64_t now_ns)
{
    if (worker->send_end_ns != 0) {
        return;
    }
    worker->send_end_ns = now_ns;
    if (now_ns > worker->phase_start_ns && worker->phase == LOAD_MEASURED) {
        double length_ns = (double)(now_ns - worker->phase_start_ns);
        struct thread_time end = thread_time_now();
        struct thread_time begin = worker->phase_time;
        worker->report.cpu_share = (double)(end.cpu_ns - begin.cpu_ns) / length_ns;
        worker->report.wait_share = (double)(end.wait_ns - begin.wait_ns) / length_ns;
    }
}

/* Who this thread is and where it ran. */
static void note_thread(struct load_thread *report)
{
    struct cpu_set allowed;
    struct diag ignored = {0};
    report->tid = gettid();
    report->last_cpu = sched_getcpu();
    if (affinity_get(0, &allowed, &ignored) == 0) {
        cpu_set_format(&allowed, report->allowed, sizeof(report->allowed));
    }
    if (pthread_getname_np(pthread_self(), report->name, sizeof(report->name)) != 0) {
        report->name[0] = '\0';
    }
}

void load_worker_run(struct load_worker *worker)
{
    int status = 0;
    begin_phase(worker, phase_of(worker, worker->plan->start_ns), worker->plan->start_ns);
    while (status == 0 && !worker->gave_up) {
        uint64_t now_ns = clock_monotonic_ns();
        if (atomic_load_explicit(&worker->stop->raised, memory_order_relaxed)) {
            break;
        }
        expire(worker, now_ns);
        status = send_round(worker);
        publish(worker);
        if (sending_is_over(worker, now_ns)) {
            note_send_end(worker, now_ns);
            if (worker->in_flight == 0) {
                break;
            }
        }
        if (status == 0) {
            status = receive_round(worker);
        }
    }
    note_send_end(worker, clock_monotonic_ns());
    interrupt_all(worker);
    publish(worker);
    for (uint32_t i = 0; i < worker->flow_count; i++) {
        worker->socket_drops += flow_drops(&worker->flows[i]);
    }
    note_thread(&worker->report);
}

static int open_flows(struct load_worker *worker, const struct load_worker_config *config,
                      struct diag *diag)
{
    struct flow_config flow = config->flow;
    uint16_t port = ntohs(flow.local.socket.v4.sin_port);
    for (uint32_t i = 0; i < config->flow_count; i++) {
        if (port != 0) {
            address_set_port(&flow.local, (uint16_t)(port + i));
        }
        int status = flow_open(&worker->flows[i], &flow, diag);
        if (status != 0) {
            return status;
        }
        worker->polls[i] = (struct pollfd){.fd = worker->flows[i].fd, .events = POLLIN};
        worker->flow_count++;
    }
    worker->polls[worker->flow_count] = (struct pollfd){.fd = config->stop->fd, .events = POLLIN};
    return 0;
}

/* The window goes round over all flows, even when it is smaller than flows times batch. */
static uint32_t flow_batch_size(const struct load_worker_config *config)
{
    uint32_t share = (config->window - 1) / config->flow_count + 1;
    return share < FLOW_BATCH ? share : FLOW_BATCH;
}

struct load_worker *load_worker_new(const struct load_worker_config *config, struct diag *diag)
{
    struct load_worker *worker = aligned_alloc(_Alignof(struct load_worker), sizeof(*worker));
    if (worker == NULL) {
        diag_fail(diag, ERR_MEMORY, NULL, 0, "no memory for so many threads (-T)");
        return NULL;
    }
    memset(worker, 0, sizeof(*worker));
    worker->plan = config->plan;
    worker->stop = config->stop;
    worker->index = config->index;
    worker->window = config->window;
    worker->flow_batch = flow_batch_size(config);
    flow_batch_init(&worker->outgoing);
    flow_batch_init(&worker->incoming);
    worker->flows = calloc(config->flow_count, sizeof(*worker->flows));
    worker->polls = calloc(config->flow_count + (size_t)1, sizeof(*worker->polls));
    if (worker->flows == NULL || worker->polls == NULL) {
        diag_fail(diag, ERR_MEMORY, NULL, 0, "no memory for so many clients (-c)");
        load_worker_free(worker);
        return NULL;
    }
    if (open_flows(worker, config, diag) != 0) {
        load_worker_free(worker);
        return NULL;
    }
    return worker;
}

void load_worker_free(struct load_worker *worker)
{
    if (worker == NULL) {
        return;
    }
    for (uint32_t i = 0; worker->flows != NULL && i < worker->flow_count; i++) {
        flow_close(&worker->flows[i]);
    }
    free(worker->flows);
    free(worker->polls);
    free(worker);
}
