/*
 * Idling. A carrier without work counts itself idle, then looks at all queues once more, then
 * sleeps in the poller with the next timer as its limit. Who makes a thread runnable pushes it
 * first and looks at the idle count second. Both orders are sequentially consistent, so either
 * the carrier sees the thread or the submitter sees the idle carrier and writes the poller's
 * wake-up descriptor. At most one such write is under way (wake_under_way).
 */
#include "pscope/carrier.h"

#include <string.h>
#include <sys/prctl.h>

#include "pscope/context.h"
#include "pscope/kernel_thread.h"
#include "pscope/monitor.h"
#include "pscope/poller.h"
#include "pscope/thread_pointer.h"
#include "pscope/timers.h"

#define CARRIER_STACK_SIZE (64 * 1024)
/*
 * Hand-overs. Threads that wake one another and then wait (a semaphore back and forth, a request to
 * a worker) are best left on one virtual CPU: to wake an idle one costs more than the wait for the
 * running thread to leave. Whether it leaves soon is guessed from the last hand-overs here: a
 * prompt one, at most PROMPT_TICKS long, counts one up, a late one PROMPT_ENOUGH down, and from
 * PROMPT_ENOUGH on nobody is woken. For wrong guesses there is the monitor. PROMPT_TICKS, 50 to
 * 100 us, is what an idle virtual machine's CPU may need to wake.
 */
#define PROMPT_TICKS  (2 * machine_duty_ticks())
#define PROMPT_ENOUGH 8
#define PROMPT_MOST   (4 * PROMPT_ENOUGH)

/* Why globals: the process has one scheduler. */
static struct vcpu *vcpus;
static unsigned vcpu_count;
static struct runqueue global_queue;
static atomic_uint idle_count;
static atomic_uint wake_under_way;

static struct spinlock carriers_lock;
static struct carrier *spare_carriers;
static struct carrier *all_carriers; /* never freed; new ones come first */
static atomic_uint carrier_count;

unsigned vcpus_count(void)
{
    return vcpu_count;
}

struct vcpu *vcpus_get(unsigned index)
{
    return &vcpus[index];
}

unsigned carriers_count(void)
{
    return atomic_load(&carrier_count);
}

void carriers_each(void (*visit)(struct carrier *carrier))
{
    struct carrier *carrier = __atomic_load_n(&all_carriers, __ATOMIC_ACQUIRE);

    for (; carrier; carrier = carrier->next_all)
        visit(carrier);
}

static void wake_idle(void)
{
    if (atomic_load(&idle_count) > 0 && !atomic_exchange(&wake_under_way, 1))
        poller_kick();
}

void carrier_kick_taken(void)
{
    atomic_store(&wake_under_way, 0);
    if (carriers_work_visible())
        wake_idle();
}

bool carriers_all_idle(void)
{
    return atomic_load(&idle_count) >= vcpu_count;
}

bool carriers_idle(void)
{
    return atomic_load(&idle_count) > 0;
}

void carriers_wake_idle(void)
{
    wake_idle();
}

static void push_here(struct uthread *thread, struct vcpu *vcpu)
{
    unsigned length;

    runqueue_push(&vcpu->queue, &thread->run);
    length = runqueue_length(&vcpu->queue);
    vcpu->counters.wakeups++;
    if (length > vcpu->counters.peak_runnable)
        vcpu->counters.peak_runnable = length;
    vcpu->handed_over = length == 1;
}

static bool will_hand_over(const struct vcpu *vcpu)
{
    return vcpu->handed_over && vcpu->prompt >= PROMPT_ENOUGH;
}

/* The running thread left; learns whether that was soon enough for those it woke. */
static void learn(struct vcpu *vcpu, uint64_t ticks)
{
    if (!vcpu->handed_over)
        return;
    if (ticks - vcpu->last_loop >= PROMPT_TICKS)
        vcpu->prompt = vcpu->prompt > PROMPT_ENOUGH ? vcpu->prompt - PROMPT_ENOUGH : 0;
    else if (vcpu->prompt < PROMPT_MOST)
        vcpu->prompt++;
    vcpu->handed_over = false;
}

void carrier_submit(struct uthread *thread, struct carrier *here)
{
    unsigned state;

    if (!here) {
        runqueue_push(&global_queue, &thread->run);
        wake_idle();
        return;
    }
    push_here(thread, here->vcpu);
    state = atomic_load(&here->state);
    /* A carrier in its loop looks at its queue before it sleeps, as does who becomes substitute. */
    if (state == CARRIER_SCHEDULING || (state == CARRIER_RUNNING && will_hand_over(here->vcpu)))
        return;
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
    runqueue_push(&carrier->vcpu->queue, &thread->run);
}

void carrier_yield(struct uthread *self)
{
    carrier_leave(self, leave_yielding);
}

bool carriers_work_visible(void)
{
    unsigned i;

    if (runqueue_length(&global_queue))
        return true;
    for (i = 0; i < vcpu_count; i++)
        if (runqueue_length(&vcpus[i].queue))
            return true;
    return false;
}

static struct run_link *steal(struct vcpu *vcpu)
{
    unsigned i;

    for (i = 1; i < vcpu_count; i++) {
        struct vcpu *victim = &vcpus[(vcpu->index + i) % vcpu_count];
        struct run_link *link = runqueue_steal(&vcpu->queue, &victim->queue);

        if (link) {
            vcpu->counters.steals++;
            return link;
        }
    }
    return NULL;
}

static struct uthread *find_work(struct vcpu *vcpu)
{
    struct run_link *link = NULL;

    /* From time to time the global queue comes first, but not twice, so that neither starves. */
    if (vcpu->global_due && !vcpu->global_last)
        link = runqueue_pop(&global_queue);
    vcpu->global_due = false;
    vcpu->global_last = link != NULL;
    if (!link)
        link = runqueue_pop(&vcpu->queue);
    if (!link)
        link = runqueue_pop(&global_queue);
    if (!link)
        link = steal(vcpu);
    return link ? RING_MEMBER(link, struct uthread, run) : NULL;
}

/*
 * Whether virtual CPUs sleep, but none of them until the next timer: it was added after they went
 * to sleep. Who added it need not see to that, since it most often sleeps next itself.
 */
static bool timer_is_unattended(void)
{
    uint64_t next = timers_next();
    bool asleep = false;
    unsigned i;

    if (next == NO_DEADLINE || atomic_load(&idle_count) == 0)
        return false;
    for (i = 0; i < vcpu_count; i++) {
        uint64_t until = atomic_load(&vcpus[i].sleeps_until);

        if (until && until <= next)
            return false;
        asleep |= until != 0;
    }
    return asleep;
}

/* Runs the thread until it leaves; false when the carrier is no virtual CPU any more then. */
static bool run(struct carrier *carrier, struct uthread *thread)
{
    struct vcpu *vcpu = carrier->vcpu;
    bool retired;

    thread->carrier = carrier;
    carrier->running = thread;
    vcpu->counters.switches++;
    /* One wake-up may stand for many submissions: who was woken wakes the next. */
    if (runqueue_length(&vcpu->queue) > 0 || runqueue_length(&global_queue) > 0)
        wake_idle();
    else if (timer_is_unattended())
        wake_idle();
    atomic_store_explicit(&carrier->state, CARRIER_RUNNING, memory_order_release);
    thread_pointer_change(&carrier->thread_pointer, thread->thread_pointer);
    context_swap(&carrier->context, thread->context);
    retired = atomic_exchange(&carrier->state, CARRIER_SCHEDULING) == CARRIER_RETIRED;
    carrier->leave(carrier, thread);
    /* The thread may be on the queue of a virtual CPU that this carrier will not look at again. */
    if (retired)
        wake_idle();
    return !retired;
}

/* True when a kick was among the events. */
static bool deliver_events(struct carrier *carrier)
{
    bool kicked = poller_deliver(&carrier->events, carrier);

    carrier->vcpu->counters.poller_wakeups += carrier->events.count > 0;
    carrier->events.count = 0;
    return kicked;
}

/* Timers and descriptors must get their turn even when there is always something to run. */
static void duties(struct carrier *carrier)
{
    uint64_t ticks = machine_ticks();

    learn(carrier->vcpu, ticks);
    carrier->vcpu->last_loop = ticks;
    credentials_apply(&carrier->credentials);
    if (ticks - carrier->vcpu->last_duties < machine_duty_ticks())
        return;
    carrier->vcpu->last_duties = ticks;
    carrier->vcpu->global_due = true;
    timers_fire(carrier);
    if (atomic_load(&idle_count) == 0 && poller_needed()) {
        poller_sleep(&carrier->events, 0);
        if (deliver_events(carrier))
            carrier_kick_taken();
    }
}

static void account(struct vcpu *vcpu, uint64_t *sum)
{
    uint64_t now = timers_now();

    *sum += now - vcpu->last_clock_ns;
    vcpu->last_clock_ns = now;
}

/* Announced first, looked up second: a timer that is added in between is seen here, or who runs on
 * behind it sees that this one sleeps for too long. */
static void sleep_until_event(struct carrier *carrier)
{
    struct vcpu *vcpu = carrier->vcpu;
    uint64_t until = timers_next();

    atomic_store(&vcpu->sleeps_until, until);
    poller_sleep(&carrier->events, timers_next() < until ? timers_next() : until);
    atomic_store(&vcpu->sleeps_until, 0);
}

static void idle(struct carrier *carrier)
{
    struct vcpu *vcpu = carrier->vcpu;

    account(vcpu, &vcpu->counters.busy_ns);
    atomic_fetch_add(&idle_count, 1);
    if (!carriers_work_visible())
        sleep_until_event(carrier);
    atomic_fetch_sub(&idle_count, 1);
    account(vcpu, &vcpu->counters.idle_ns);
    monitor_busy();
    if (deliver_events(carrier))
        atomic_store(&wake_under_way, 0); /* it now looks for work */
    timers_fire(carrier);
}

/* Until the monitor makes this carrier a virtual CPU again. */
static void wait_as_spare(struct carrier *carrier)
{
    spin_lock(&carriers_lock);
    carrier->next_spare = spare_carriers;
    spare_carriers = carrier;
    spin_unlock(&carriers_lock);
    while (!atomic_load(&carrier->assigned)) {
        sys_futex_wait(&carrier->assigned, 0, NULL);
        credentials_apply(&carrier->credentials);
    }
    atomic_store(&carrier->assigned, 0);
}

static _Noreturn void carrier_loop(struct carrier *carrier)
{
    for (;;) {
        struct uthread *thread = find_work(carrier->vcpu);

        if (!thread)
            idle(carrier);
        else if (!run(carrier, thread))
            wait_as_spare(carrier);
        duties(carrier);
    }
}

static int carrier_main(void *argument)
{
    struct carrier *carrier = argument;
    char name[16] = "pscope-cpu";
    unsigned index = carrier->vcpu->index, place = 10, divisor = 100;

    for (; divisor; divisor /= 10)
        if (index >= divisor || divisor == 1)
            name[place++] = (char)('0' + index / divisor % 10);
    sys_2(SYS_prctl, PR_SET_NAME, name);
    __atomic_store_n(&carrier->tid, (pid_t)sys_0(SYS_gettid), __ATOMIC_RELEASE);
    carrier_loop(carrier);
}

/* A new carrier that is this virtual CPU from the start. */
static bool start_carrier(struct vcpu *vcpu)
{
    struct carrier *carrier = sys_pages(sizeof *carrier);

    if (!carrier)
        return false;
    carrier->vcpu = vcpu;
    carrier->status_fd = -1;
    credentials_begin(&carrier->credentials);
    atomic_store(&vcpu->carrier, carrier);
    atomic_fetch_add(&carrier_count, 1);
    if (!kernel_thread_start(carrier_main, carrier, CARRIER_STACK_SIZE, true)) {
        atomic_fetch_sub(&carrier_count, 1);
        sys_pages_free(carrier, sizeof *carrier);
        return false;
    }
    spin_lock(&carriers_lock);
    carrier->next_all = all_carriers;
    __atomic_store_n(&all_carriers, carrier, __ATOMIC_RELEASE);
    spin_unlock(&carriers_lock);
    return true;
}

bool carriers_start(unsigned count)
{
    unsigned i;

    vcpus = sys_pages(count * sizeof *vcpus);
    if (!vcpus)
        return false;
    vcpu_count = count;
    for (i = 0; i < count; i++) {
        vcpus[i].index = i;
        vcpus[i].last_clock_ns = timers_now();
        if (!start_carrier(&vcpus[i]))
            return false;
    }
    return true;
}

static struct carrier *take_spare(void)
{
    struct carrier *spare;

    spin_lock(&carriers_lock);
    spare = spare_carriers;
    if (spare)
        spare_carriers = spare->next_spare;
    spin_unlock(&carriers_lock);
    return spare;
}

bool carrier_substitute(struct carrier *carrier)
{
    unsigned running = CARRIER_RUNNING;
    struct vcpu *vcpu = carrier->vcpu;
    struct carrier *spare;

    if (!atomic_compare_exchange_strong(&carrier->state, &running, CARRIER_RETIRED))
        return false;
    vcpu->counters.substitutes++;
    spare = take_spare();
    if (!spare) {
        if (start_carrier(vcpu))
            return true;
        /* No other to be had: keep it, unless its thread has left it meanwhile. */
        running = CARRIER_RETIRED;
        atomic_store(&vcpu->carrier, carrier);
        if (atomic_compare_exchange_strong(&carrier->state, &running, CARRIER_RUNNING))
            return false;
        spare = take_spare();
        while (!spare)
            spare = take_spare();
    }
    spare->vcpu = vcpu;
    atomic_store(&vcpu->carrier, spare);
    atomic_store(&spare->assigned, 1);
    sys_futex_wake(&spare->assigned, 1);
    return true;
}

void carriers_forget(void)
{
    vcpus = NULL;
    vcpu_count = 0;
    spare_carriers = all_carriers = NULL;
    memset(&global_queue, 0, sizeof global_queue);
    atomic_store(&carriers_lock.held, 0);
    atomic_store(&carrier_count, 0);
    atomic_store(&idle_count, 0);
    atomic_store(&wake_under_way, 0);
}
