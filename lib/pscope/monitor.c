#include "pscope/monitor.h"

#include <stdatomic.h>
#include <stddef.h>
#include <sys/prctl.h>

#include "pscope/carrier.h"
#include "pscope/config.h"
#include "pscope/credentials.h"
#include "pscope/descriptors.h"
#include "pscope/kernel_thread.h"
#include "pscope/poller.h"
#include "pscope/preempt.h"
#include "pscope/timers.h"

#define STACK_SIZE  (64 * 1024)
#define TICK_NS     5000000
#define TICKS_AWAKE 20 /* without anything to watch, before it sleeps until monitor_busy() */

/* What the monitor knew of a virtual CPU at its last look. */
struct watch {
    uint64_t switches;
    uint64_t since_ns;
};

/* Why globals: one monitor a process. */
static atomic_uint asleep; /* futex */
static uint64_t quantum_ns;
static struct watch watches[CONFIG_VIRTUAL_CPUS_MAX];
static struct poller_events events;
static struct credentials_seen credentials;

void monitor_busy(void)
{
    if (atomic_load(&asleep) && atomic_exchange(&asleep, 0))
        sys_futex_wake(&asleep, 1);
}

static char *append_text(char *out, const char *text)
{
    while (*text)
        *out++ = *text++;
    *out = '\0';
    return out;
}

static char *append_number(char *out, unsigned number)
{
    if (number >= 10)
        out = append_number(out, number / 10);
    *out++ = (char)('0' + number % 10);
    return out;
}

static int open_status(pid_t tid)
{
    char path[64];

    append_text(append_number(append_text(path, "/proc/self/task/"), (unsigned)tid), "/stat");
    return descriptor_out_of_the_way(sys_4(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0));
}

/* The third field of /proc/PID/task/TID/stat is R, S, D and so on; it follows "(name) ". */
static bool sleeps_in_kernel(struct carrier *carrier)
{
    char text[64];
    long size;

    if (carrier->status_fd < 0)
        carrier->status_fd = open_status(carrier->tid);
    size = sys_4(SYS_pread64, carrier->status_fd, text, sizeof text, 0);
    for (; size > 2; size--)
        if (text[size - 3] == ')' && text[size - 2] == ' ')
            return text[size - 1] == 'S' || text[size - 1] == 'D';
    return false;
}

/* How long the virtual CPU has been in one and the same user thread; 0 when it is not in one. */
static uint64_t stuck_ns(struct vcpu *vcpu, struct watch *watch, uint64_t now)
{
    struct carrier *carrier = atomic_load(&vcpu->carrier);
    uint64_t switches = __atomic_load_n(&vcpu->counters.switches, __ATOMIC_RELAXED);

    if (switches != watch->switches || atomic_load(&carrier->state) != CARRIER_RUNNING) {
        watch->switches = switches;
        watch->since_ns = now;
        return 0;
    }
    return now - watch->since_ns;
}

static void look_at(struct vcpu *vcpu, struct watch *watch, uint64_t now)
{
    struct carrier *carrier = atomic_load(&vcpu->carrier);
    uint64_t stuck = stuck_ns(vcpu, watch, now);

    if (!stuck || !carriers_work_visible())
        return;
    if (carriers_idle())
        carriers_wake_idle();
    else if (sleeps_in_kernel(carrier))
        carrier_substitute(carrier);
    else if (quantum_ns && stuck >= quantum_ns)
        preempt_kick(carrier);
}

/* A retired carrier whose thread runs again is one more than there are virtual CPUs. */
static void call_back(struct carrier *carrier)
{
    if (atomic_load(&carrier->state) == CARRIER_RETIRED && !sleeps_in_kernel(carrier))
        preempt_kick(carrier);
}

/* A thread that computes does not look up for a signal by itself. */
static void call_for_signal(struct carrier *carrier)
{
    const struct uthread *thread = carrier->running;

    if (atomic_load(&carrier->state) != CARRIER_SCHEDULING && thread &&
        (uthread_attention(thread) & ATTENTION_SIGNAL) && !sleeps_in_kernel(carrier))
        preempt_kick(carrier);
}

/*
 * True when there is something to watch: a virtual CPU that is not idle, even if it runs no thread
 * yet. It called monitor_busy() when it ceased to be idle and will not call again before it blocks.
 */
static bool look(void)
{
    uint64_t now = timers_now();
    unsigned i;

    if (!carriers_idle()) {
        timers_fire(NULL);
        if (poller_needed()) {
            poller_sleep(&events, 0);
            if (poller_deliver(&events, NULL))
                carrier_kick_taken();
        }
    }
    for (i = 0; i < vcpus_count(); i++) {
        look_at(vcpus_get(i), &watches[i], now);
    }
    if (carriers_count() > vcpus_count() && quantum_ns)
        carriers_each(call_back);
    carriers_each(call_for_signal);
    return !carriers_all_idle();
}

static _Noreturn void monitor_loop(void)
{
    const struct timespec tick = {0, TICK_NS};
    unsigned quiet = 0;

    for (;;) {
        credentials_apply(&credentials);
        quiet = look() ? 0 : quiet + 1;
        if (quiet < TICKS_AWAKE) {
            sys_4(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &tick, NULL);
            continue;
        }
        atomic_store(&asleep, 1);
        /* Who got busy before it could see that we sleep. */
        if (look())
            atomic_store(&asleep, 0);
        while (atomic_load(&asleep))
            sys_futex_wait(&asleep, 1, NULL);
        quiet = 0;
    }
}

static int monitor_main(void *argument)
{
    (void)argument;
    sys_2(SYS_prctl, PR_SET_NAME, "pscope-monitor");
    monitor_loop();
}

bool monitor_start(unsigned quantum_us)
{
    quantum_ns = (uint64_t)quantum_us * 1000;
    credentials_begin(&credentials);
    return kernel_thread_start(monitor_main, NULL, STACK_SIZE, false);
}

void monitor_forget(void)
{
    atomic_store(&asleep, 0);
    __builtin_memset(watches, 0, sizeof watches);
}
