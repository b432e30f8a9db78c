#include "load/run.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/error.h"
#include "load/monitor.h"
#include "load/plan.h"
#include "load/scope.h"
#include "load/worker.h"
#include "system/interrupt.h"

/* What the tables of message IDs may take in all; the more IDs, the longer a late reply is known.
 */
#define ID_TABLES_BYTES ((uint64_t)16 * 1024 * 1024)

/* Descriptors that are open beside the clients' sockets. */
#define OTHER_DESCRIPTORS 64

/* Where threads wait until all are there, or until one could not be started. */
struct gate {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    enum { GATE_CLOSED, GATE_OPEN, GATE_ABANDONED } state;
};

struct thread {
    pthread_t thread;
    struct load_worker *worker;
    struct gate *gate;
    int done_fd; /* an eventfd; each thread adds 1 at its end */
};

struct run {
    const struct load_options *options;
    const struct load_watcher *watcher;
    struct load_plan plan;
    struct load_stop stop;
    struct gate gate;
    int done_fd;
    struct load_worker **workers; /* plan.threads of them */
    struct thread *threads;
    uint32_t started;
};

uint32_t load_run_threads(const struct load_options *options)
{
    uint32_t threads = options->threads;
    threads = threads < options->clients ? threads : options->clients;
    return threads < options->outstanding ? threads : options->outstanding;
}

/* Part `index` of `total` cut into `parts`: all equal but for a rest spread over the first. */
static uint32_t part_of(uint32_t total, uint32_t parts, uint32_t index)
{
    return total / parts + (index < total % parts ? 1 : 0);
}

static uint64_t to_ns(double seconds)
{
    return (uint64_t)(seconds * (double)NS_PER_S + 0.5);
}

static void make_plan(const struct load_options *options, const struct query_set *queries,
                      const struct load_watcher *watcher, struct load_plan *plan)
{
    uint64_t limit;
    if (options->runs == 0 || __builtin_mul_overflow(options->runs, queries->count, &limit)) {
        limit = UINT64_MAX;
    }
    *plan = (struct load_plan){
        .queries = queries,
        .threads = load_run_threads(options),
        .timeout_ns = to_ns(options->timeout_s),
        .query_limit = limit,
        .warmup_ns = to_ns(options->warmup_s),
        .limit_ns = options->time_limit_s > 0 ? to_ns(options->time_limit_s) : UINT64_MAX,
        .query_lines = watcher->query_lines,
    };
}

/* The most IDs a client can have inside the budget, and enough for its share of the window. */
static uint32_t id_slots(const struct load_options *options)
{
    uint64_t wanted = 4 * ((uint64_t)options->outstanding / options->clients + 1);
    uint32_t slots = 1024;
    while (slots < ID_TABLE_MAX_SLOTS &&
           (slots < wanted ||
            2 * slots * sizeof(struct id_slot) * options->clients <= ID_TABLES_BYTES)) {
        slots *= 2;
    }
    return slots;
}

/* A client is a descriptor; the limit that a process may raise by itself is raised. */
static void raise_descriptor_limit(uint32_t clients)
{
    struct rlimit limit;
    rlim_t wanted = (rlim_t)clients + OTHER_DESCRIPTORS;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < wanted) {
        limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
        /* A refusal shows when the sockets are opened. */
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static int local_address(const struct load_options *options, const struct address *server,
                         struct address *local, struct diag *diag)
{
    int family = server->socket.any.sa_family;
    if (options->local_address == NULL && options->local_port == 0) {
        *local = (struct address){.size = 0};
        return 0;
    }
    const char *any = family == AF_INET6 ? "::" : "0.0.0.0";
    const char *host = options->local_address == NULL ? any : options->local_address;
    return address_resolve(host, options->local_port, family, local, diag);
}

static int make_workers(struct run *run, const struct address *server, struct diag *diag)
{
    const struct load_options *options = run->options;
    struct load_worker_config config = {
        .plan = &run->plan,
        .stop = &run->stop,
        .flow =
            {
                .server = *server,
                .buffer_kib = options->buffer_kib,
                .id_slots = id_slots(options),
                .timeout_ns = run->plan.timeout_ns,
            },
    };
    int status = local_address(options, server, &config.flow.local, diag);
    uint16_t port = options->local_port;
    for (uint32_t i = 0; i < run->plan.threads && status == 0; i++) {
        config.index = i;
        config.window = part_of(options->outstanding, run->plan.threads, i);
        config.flow_count = part_of(options->clients, run->plan.threads, i);
        if (port != 0) {
            address_set_port(&config.flow.local, port);
            port = (uint16_t)(port + config.flow_count);
        }
        run->workers[i] = load_worker_new(&config, diag);
        status = run->workers[i] == NULL ? diag->code : 0;
    }
    return status;
}

static void set_gate(struct gate *gate, int state)
{
    pthread_mutex_lock(&gate->mutex);
    gate->state = state;
    pthread_cond_broadcast(&gate->changed);
    pthread_mutex_unlock(&gate->mutex);
}

static bool pass_gate(struct gate *gate)
{
    pthread_mutex_lock(&gate->mutex);
    while (gate->state == GATE_CLOSED) {
        pthread_cond_wait(&gate->changed, &gate->mutex);
    }
    bool open = gate->state == GATE_OPEN;
    pthread_mutex_unlock(&gate->mutex);
    return open;
}

static void add_one(int event_fd)
{
    uint64_t one = 1;
    /* Fails only if 2^64 - 2 events are waiting. */
    ssize_t ignored = write(event_fd, &one, sizeof(one));
    (void)ignored;
}

static void *thread_main(void *argument)
{
    struct thread *thread = argument;
    char name[16];
    snprintf(name, sizeof(name), "load-%u", thread->worker->index);
    pthread_setname_np(pthread_self(), name);
    if (pass_gate(thread->gate)) {
        load_worker_run(thread->worker);
    }
    add_one(thread->done_fd);
    return NULL;
}

/* Starts all threads, which take no signals: those are for the caller's thread. */
static int start_threads(struct run *run, struct diag *diag)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failure = 0;
    for (; run->started < run->plan.threads && failure == 0; run->started += failure == 0) {
        struct thread *thread = &run->threads[run->started];
        *thread = (struct thread){
            .worker = run->workers[run->started],
            .gate = &run->gate,
            .done_fd = run->done_fd,
        };
        failure = pthread_create(&thread->thread, NULL, thread_main, thread);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failure == 0) {
        return 0;
    }
    errno = failure;
    return diag_fail_errno(diag, NULL, "cannot start thread %u of %u (-T)", run->started + 1,
                           run->plan.threads);
}

static void join_threads(struct run *run)
{
    for (uint32_t i = 0; i < run->started; i++) {
        pthread_join(run->threads[i].thread, NULL);
    }
    run->started = 0;
}

static void set_times(struct load_plan *plan)
{
    plan->start_ns = clock_monotonic_ns();
    plan->measure_ns = plan->start_ns + plan->warmup_ns;
    plan->stop_ns = plan->limit_ns == UINT64_MAX ? UINT64_MAX : plan->measure_ns + plan->limit_ns;
}

static void stop_workers(struct run *run)
{
    atomic_store_explicit(&run->stop.raised, true, memory_order_relaxed);
    add_one(run->stop.fd);
}

/* Sleeps until the next tick, a signal, or the end of a thread. */
static void wait_for_events(struct run *run, const struct monitor *monitor, bool stopping)
{
    struct pollfd polls[] = {
        {.fd = run->done_fd, .events = POLLIN},
        {.fd = stopping ? -1 : interrupt_fd(), .events = POLLIN},
    };
    uint64_t now_ns = clock_monotonic_ns();
    uint64_t sleep_ns = monitor->next_tick_ns > now_ns ? monitor->next_tick_ns - now_ns : 0;
    struct timespec timeout = {
        .tv_sec = (time_t)(sleep_ns / NS_PER_S),
        .tv_nsec = (long)(sleep_ns % NS_PER_S),
    };
    ppoll(polls, ARRAY_LENGTH(polls), monitor->next_tick_ns == UINT64_MAX ? NULL : &timeout, NULL);
}

/* Whether a thread failed: then the others need not go on. */
static bool any_failed(const struct run *run)
{
    for (uint32_t i = 0; i < run->plan.threads; i++) {
        if (run->workers[i]->diag.code != 0) {
            return true;
        }
    }
    return false;
}

/* Watches until all threads have ended. 0 or ERR_MEMORY. */
static int watch(struct run *run, struct monitor *monitor)
{
    uint64_t ended = 0;
    bool stopping = false;
    int status = 0;
    while (ended < run->plan.threads) {
        wait_for_events(run, monitor, stopping);
        uint64_t now_ns = clock_monotonic_ns();
        if (now_ns >= monitor->next_tick_ns && status == 0) {
            status = monitor_tick(monitor, now_ns);
        }
        uint64_t more = 0;
        if (read(run->done_fd, &more, sizeof(more)) == sizeof(more)) {
            ended += more;
        }
        if (!stopping && (interrupt_pending() || status != 0 || (more > 0 && any_failed(run)))) {
            stopping = true;
            stop_workers(run);
        }
    }
    return status;
}

/* What the threads found, as one. */
static void merge_workers(const struct run *run, struct load_result *result)
{
    for (uint32_t i = 0; i < run->plan.threads; i++) {
        struct load_worker *worker = run->workers[i];
        for (unsigned phase = 0; phase < LOAD_PHASES; phase++) {
            load_phase_merge(&result->phases[phase], &worker->phases[phase]);
        }
        result->client.threads[i] = worker->report;
        result->client.socket_drops += worker->socket_drops;
        result->gave_up |= worker->gave_up;
    }
}

/* The end of the measured time: of sending, or the last reply that completed a query. */
static uint64_t end_of_run(const struct run *run, const struct load_result *result)
{
    uint64_t end_ns = result->phases[LOAD_MEASURED].last_event_ns;
    bool stopped_early = atomic_load_explicit(&run->stop.raised, memory_order_relaxed);
    for (uint32_t i = 0; i < run->plan.threads; i++) {
        const struct load_worker *worker = run->workers[i];
        bool until_limit = run->plan.stop_ns != UINT64_MAX && worker->remaining > 0;
        if ((until_limit || stopped_early || worker->gave_up) && worker->send_end_ns > end_ns) {
            end_ns = worker->send_end_ns;
        }
    }
    return end_ns;
}

/* A failed thread's diagnosis, or that of a server which refused everything. */
static int diagnose(const struct run *run, const struct load_result *result, struct diag *diag)
{
    int refusal_errno = 0;
    for (uint32_t i = 0; i < run->plan.threads; i++) {
        const struct load_worker *worker = run->workers[i];
        if (worker->diag.code != 0) {
            *diag = worker->diag;
            return diag->code;
        }
        refusal_errno = worker->refusal_errno != 0 ? worker->refusal_errno : refusal_errno;
    }
    const struct load_phase *phases = result->phases;
    uint64_t completed =
        phases[LOAD_WARMUP].counts.completed + phases[LOAD_MEASURED].counts.completed;
    if (refusal_errno == 0 || completed > 0) {
        return 0;
    }
    return diag_fail(
        diag, ERR_TARGET, NULL, 0,
        "no query was answered: ICMP says \"%s\"; is a server listening on %s port %u?",
        strerror(refusal_errno), result->server_address, result->server_port);
}

/*
 * A thread of process scope runs on one kernel thread now and on another then, so that the kernel
 * does not know its times: each gets the mean share of the virtual CPUs.
 */
static void share_process_time(const struct run *run, struct load_result *result)
{
    uint32_t threads = run->plan.threads;
    uint32_t carriers = result->vcpus > 0 && result->vcpus < threads ? result->vcpus : threads;
    double cpu_s = result->client.user_s + result->client.system_s;
    for (uint32_t i = 0; i < threads; i++) {
        result->client.threads[i].wait_share = 0;
        result->client.threads[i].cpu_share =
            result->run_time_s > 0 ? cpu_s / result->run_time_s / carriers : 0;
    }
}

static int finish(struct run *run, struct monitor *monitor, struct load_result *result)
{
    merge_workers(run, result);
    uint64_t end_ns = end_of_run(run, result);
    uint64_t measure_ns = run->plan.measure_ns;
    int status = monitor_finish(monitor, end_ns, result);
    result->run_time_s = end_ns > measure_ns ? (double)(end_ns - measure_ns) / (double)NS_PER_S : 0;
    result->interrupted = interrupt_pending();
    result->end_of_file = run->plan.query_limit != UINT64_MAX &&
                          result->phases[LOAD_MEASURED].counts.sent == run->plan.query_limit;
    if (strcmp(result->scope, "process") == 0) {
        share_process_time(run, result);
    }
    result->flags = load_result_flags(result);
    return status;
}

static void describe_setup(const struct run *run, const struct address *server,
                           struct load_result *result)
{
    const struct load_options *options = run->options;
    clock_format_utc(result->started_at);
    address_format(server, result->server_address);
    result->server_port = options->port;
    result->threads = run->plan.threads;
    result->clients = options->clients;
    result->outstanding = options->outstanding;
    result->timeout_s = options->timeout_s;
    result->warmup_s = options->warmup_s;
    result->duration_s = options->time_limit_s;
    result->client.thread_count = run->plan.threads;
}

/* Opens the gate and watches; the threads are started and will be joined by the caller. */
static int execute(struct run *run, struct load_result *result, struct diag *diag)
{
    struct monitor monitor;
    set_times(&run->plan);
    int status =
        monitor_init(&monitor, &run->plan, run->workers, run->watcher, run->options->interval_s);
    if (status == 0) {
        set_gate(&run->gate, GATE_OPEN);
        status = watch(run, &monitor);
        int finished = finish(run, &monitor, result);
        status = status == 0 ? finished : status;
    } else {
        set_gate(&run->gate, GATE_ABANDONED);
    }
    monitor_free(&monitor);
    return status == 0 ? diagnose(run, result, diag)
                       : diag_fail(diag, status, NULL, 0, "no memory to record the run");
}

static int run_threads(struct run *run, struct load_result *result, struct diag *diag)
{
    int status = start_threads(run, diag);
    if (status == 0) {
        status = load_scope_describe(run->options, result, diag);
    }
    if (status == 0) {
        if (run->watcher->on_start != NULL) {
            run->watcher->on_start(run->watcher->context, result);
        }
        status = execute(run, result, diag);
    } else {
        set_gate(&run->gate, GATE_ABANDONED);
    }
    join_threads(run);
    return status;
}

static void free_run(struct run *run)
{
    for (uint32_t i = 0; run->workers != NULL && i < run->plan.threads; i++) {
        load_worker_free(run->workers[i]);
    }
    free(run->workers);
    free(run->threads);
    if (run->done_fd >= 0) {
        close(run->done_fd);
    }
    if (run->stop.fd >= 0) {
        close(run->stop.fd);
    }
}

static int allocate(struct run *run, struct load_result *result, struct diag *diag)
{
    run->done_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    run->stop.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (run->done_fd < 0 || run->stop.fd < 0) {
        return diag_fail_errno(diag, NULL, "cannot make an event descriptor");
    }
    run->workers = calloc(run->plan.threads, sizeof(void *));
    run->threads = calloc(run->plan.threads, sizeof(*run->threads));
    result->client.threads = calloc(run->plan.threads, sizeof(*result->client.threads));
    if (run->workers == NULL || run->threads == NULL || result->client.threads == NULL) {
        return diag_fail(diag, ERR_MEMORY, NULL, 0, "no memory for %u threads (-T)",
                         run->plan.threads);
    }
    return 0;
}

int load_run(const struct load_options *options, const struct query_set *queries,
             const struct address *server, const struct load_watcher *watcher,
             struct load_result *result, struct diag *diag)
{
    struct run run = {
        .options = options,
        .watcher = watcher,
        .gate = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER},
        .stop = {.fd = -1},
        .done_fd = -1,
    };
    make_plan(options, queries, watcher, &run.plan);
    raise_descriptor_limit(options->clients);
    int status = allocate(&run, result, diag);
    if (status == 0) {
        describe_setup(&run, server, result);
        status = make_workers(&run, server, diag);
    }
    if (status == 0) {
        status = run_threads(&run, result, diag);
    }
    free_run(&run);
    return status;
}
