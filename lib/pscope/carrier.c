/*
 * Idling. A carrier without work counts itself idle, then looks at all queues once more, then
 * sleeps in the poller with the next timer as its limit. Who makes a thread runnable pushes it
 * first and looks at the idle count second. Both orders are sequentially consistent, so either
 * the carrier sees the thread or the submitter sees the idle carrier and writes the poller's
 * wake-up descriptor. At most one such write is under way (wake_under_way).
 */
#include "pscope/carrier.h"

#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "pscope/context.h"
#include "pscope/kernel_thread.h"
#include "pscope/poller.h"
#include "pscope/thread_pointer.h"
#include "pscope/timers.h"

#define CARRIER_STACK_SIZE (64 * 1024)
/* Between two looks at the clock and the poller while there is always something to run. */
#define DUTY_CYCLES 100000
/* Every so many picks the global queue comes first, so that it cannot starve. */
#define GLOBAL_TURN 61

/* Why globals: the process has one scheduler. */
static struct carrier *carriers;
static unsigned carrier_count;
static struct runqueue global_queue;
static atomic_uint idle_count;
static atomic_uint wake_under_way;

unsigned carriers_count(void)
{
    return carrier_count;
}

struct carrier *carriers_get(unsigned index)
{
    return &carriers[index];
}

static void wake_idle(void)
{
    if (atomic_load(&idle_count) > 0 && !atomic_exchange(&wake_under_way, 1))
        poller_kick();
}

void carrier_woken(void)
{
    atomic_store(&wake_under_way, 0);
}

static void push(struct uthread *thread, struct carrier *here)
{
    uint64_t length;

    if (!here) {
        runqueue_push(&global_queue, &thread->run);
        return;
    }
    runqueue_push(&here->queue, &thread->run);
    length = runqueue_length(&here->queue);
    here->counters.wakeups++;
    if (length > here->counters.peak_runnable)
        here->counters.peak_runnable = length;
}

void carrier_submit(struct uthread *thread, struct carrier *here)
{
    push(thread, here);
    if (!here || !here->scheduling)
        wake_idle();
}

void carrier_leave(struct uthread *self,
                   void (*leave)(struct carrier *carrier, struct uthread *thread))
{
    struct carrier *carrier = self->carrier;

    carrier->leave = leave;
    context_swap(&self->context, carrier->context);
}

static void leave_yielding(struct carrier *carrier, struct uthread *thread)
{
    runqueue_push(&carrier->queue, &thread->run);
}

void carrier_yield(struct uthread *self)
{
    carrier_leave(self, leave_yielding);
}

static bool work_visible(void)
{
    unsigned i;

    if (runqueue_length(&global_queue))
        return true;
    for (i = 0; i < carrier_count; i++)
        if (runqueue_length(&carriers[i].queue))
            return true;
    return false;
}

static struct run_link *steal(struct carrier *carrier)
{
    unsigned i;

    for (i = 1; i < carrier_count; i++) {
        struct carrier *victim = &carriers[(carrier->index + i) % carrier_count];
        struct run_link *link = runqueue_steal(&carrier->queue, &victim->queue);

        if (link) {
            carrier->counters.steals++;
            return link;
        }
    }
    return NULL;
}

static struct uthread *find_work(struct carrier *carrier)
{
    struct run_link *link = NULL;

    if (++carrier->turn % GLOBAL_TURN == 0)
        link = runqueue_pop(&global_queue);
    if (!link)
        link = runqueue_pop(&carrier->queue);
    if (!link)
        link = runqueue_pop(&global_queue);
    if (!link)
        link = steal(carrier);
    return link ? RING_MEMBER(link, struct uthread, run) : NULL;
}

static void run(struct carrier *carrier, struct uthread *thread)
{
    thread->carrier = carrier;
    carrier->counters.switches++;
    if (runqueue_length(&carrier->queue) > 0)
        wake_idle();
    carrier->scheduling = false;
    thread_pointer_set(thread->thread_pointer);
    context_swap(&carrier->context, thread->context);
    carrier->scheduling = true;
    carrier->leave(carrier, thread);
}

/* Timers and descriptors must get their turn even when there is always something to run. */
static void duties(struct carrier *carrier)
{
    uint64_t cycles = __builtin_ia32_rdtsc();

    if (cycles - carrier->last_duties < DUTY_CYCLES)
        return;
    carrier->last_duties = cycles;
    timers_fire(carrier);
    if (atomic_load(&idle_count) == 0 && poller_needed())
        poller_deliver(carrier, poller_sleep(carrier, 0));
}

static void account(struct carrier *carrier, uint64_t *sum)
{
    uint64_t now = timers_now();

    *sum += now - carrier->last_clock_ns;
    carrier->last_clock_ns = now;
}

static void idle(struct carrier *carrier)
{
    unsigned events = 0;

    account(carrier, &carrier->counters.busy_ns);
    atomic_fetch_add(&idle_count, 1);
    if (!work_visible() && !credentials_changing())
        events = poller_sleep(carrier, timers_next());
    atomic_fetch_sub(&idle_count, 1);
    account(carrier, &carrier->counters.idle_ns);
    poller_deliver(carrier, events);
    timers_fire(carrier);
}

static _Noreturn void carrier_loop(struct carrier *carrier)
{
    for (;;) {
        struct uthread *thread = find_work(carrier);

        if (thread)
            run(carrier, thread);
        else
            idle(carrier);
        duties(carrier);
        credentials_apply(&carrier->credentials);
    }
}

static int carrier_main(void *argument)
{
    struct carrier *carrier = argument;
    char name[16] = "pscope-cpu";
    unsigned index = carrier->index, place = 10, divisor = 100;

    for (; divisor; divisor /= 10)
        if (index >= divisor || divisor == 1)
            name[place++] = (char)('0' + index / divisor % 10);
    sys_2(SYS_prctl, PR_SET_NAME, name);
    carrier->tid = (pid_t)sys_0(SYS_gettid);
    carrier->last_clock_ns = timers_now();
    carrier_loop(carrier);
}

bool carriers_start(unsigned count)
{
    unsigned i;
    void *memory = mmap(NULL, count * sizeof *carriers, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED)
        return false;
    carriers = memory;
    carrier_count = count;
    for (i = 0; i < count; i++) {
        carriers[i].index = i;
        carriers[i].scheduling = true;
        if (!kernel_thread_start(carrier_main, &carriers[i], CARRIER_STACK_SIZE))
            break;
    }
    /* Fewer than asked for would be half a configuration; none is a refusal. */
    carrier_count = i;
    return i == count;
}

void carriers_forget(void)
{
    carriers = NULL;
    carrier_count = 0;
    memset(&global_queue, 0, sizeof global_queue);
    atomic_store(&idle_count, 0);
    atomic_store(&wake_under_way, 0);
}
