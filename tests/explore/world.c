#include "world.h"

#include <semaphore.h>
#include <string.h>

#include "explorer.h"
#include "pscope/carrier.h"
#include "pscope/context.h"
#include "pscope/credentials.h"
#include "pscope/home.h"
#include "pscope/kernel_thread.h"
#include "pscope/monitor.h"
#include "pscope/parking.h"
#include "pscope/poller.h"
#include "pscope/real.h"
#include "pscope/rseq.h"
#include "pscope/timers.h"

/* This file is instrumented, too, but is what the instrumented ones call. */
#undef context_swap

enum { STACK_SIZE = 32 * 1024, ARENA_SIZE = 1 << 18 };

struct user {
    struct uthread thread;
    void (*run)(void *argument);
    void *argument;
    struct carrier *on; /* the carrier that runs it, NULL: none */
    bool ended;
    _Alignas(64) char stack[STACK_SIZE];
};

/* Why globals: what is modelled exists once a process. */
static struct user users[USERS_MAX];
static unsigned user_count;
static void *starter;
static _Alignas(64) char arena[ARENA_SIZE];
static size_t arena_used;
static uint64_t now_ns;
static uint64_t cycles;
static bool kicked;
static int (*carrier_mains[8])(void *);
static void *carrier_arguments[8];
static unsigned carrier_starts;

static int sem_wait_explored(sem_t *posted);
static int sem_clockwait_explored(sem_t *posted, clockid_t clock, const struct timespec *when);

struct real_functions real_functions = {
    .sem_post = sem_post,
    .sem_wait = sem_wait_explored,
    .sem_clockwait = sem_clockwait_explored,
    .ready = true,
};

struct libc_functions libc_functions = {.clock_gettime = clock_gettime};

void real_lookup(void)
{
}

void world_reset(void)
{
    carriers_forget();
    parking_forget();
    timers_forget();
    uthread_forget_all();
    memset(arena, 0, arena_used);
    arena_used = 0;
    user_count = carrier_starts = 0;
    now_ns = 1;
    cycles = 0;
    kicked = false;
    timers_reserve(USERS_MAX);
}

void world_start(unsigned vcpus)
{
    if (!carriers_start(vcpus))
        explore_fail("no virtual CPUs");
}

/* User threads. */

static struct user *user_of(struct uthread *thread)
{
    return RING_MEMBER(thread, struct user, thread);
}

static void leave_ended(struct carrier *carrier, struct uthread *thread)
{
    (void)carrier;
    user_of(thread)->ended = true;
}

static void user_main(void *argument)
{
    struct user *user = argument;

    context_swap(&user->thread.context, starter);
    user->run(user->argument);
    carrier_leave(&user->thread, leave_ended);
    explore_fail("a thread ran after its end");
}

struct uthread *world_user(void (*run)(void *argument), void *argument)
{
    struct user *user = &users[user_count];

    if (user_count++ == USERS_MAX)
        explore_fail("too many user threads");
    memset(user, 0, offsetof(struct user, stack));
    user->run = run;
    user->argument = argument;
    user->thread.thread_pointer = (uintptr_t)&user->thread;
    context_call(&starter, user->stack + STACK_SIZE, user_main, user);
    carrier_submit(&user->thread, NULL);
    return &user->thread;
}

void world_check_ended(void)
{
    unsigned i;

    for (i = 0; i < user_count; i++)
        if (!users[i].ended)
            explore_fail(i == 0   ? "the first user thread is lost"
                         : i == 1 ? "the second user thread is lost"
                                  : "a later user thread is lost");
}

/* What the instrumented sources ask of the machine. */

static bool is_free(void *held)
{
    return !atomic_load_explicit((atomic_uint *)held, memory_order_relaxed);
}

void explore_lock(atomic_uint *held)
{
    explore_point();
    if (!is_free(held))
        explore_wait(is_free, held);
    if (!is_free(held))
        explore_fail("two hold one lock");
    atomic_store_explicit(held, 1, memory_order_relaxed);
}

void explore_unlock(atomic_uint *held)
{
    atomic_store_explicit(held, 0, memory_order_relaxed);
    explore_point();
}

/* A carrier is about to run this user thread; nobody else may be, and its context must be saved. */
void explore_thread_pointer_set(uintptr_t value)
{
    struct uthread *thread = (void *)value;
    struct user *user = user_of(thread);

    if (user->on)
        explore_fail("two carriers run one user thread");
    if (user->ended)
        explore_fail("a user thread runs after its end");
    user->on = atomic_load_explicit(&thread->carrier, memory_order_relaxed);
    uthread_aboard = uthread_self = thread;
}

uintptr_t explore_thread_pointer_get(void)
{
    return (uintptr_t)uthread_self;
}

/* Out of a user thread: from here on its context is saved. */
void explore_context_swap(void **save, void *load)
{
    struct uthread *thread = uthread_self;

    if (thread && save == &thread->context)
        user_of(thread)->on = NULL;
    context_swap(save, load);
}

int explore_clock_gettime(clockid_t clock, struct timespec *time)
{
    (void)clock;
    time->tv_sec = (time_t)(now_ns / NS_PER_S);
    time->tv_nsec = (long)(now_ns % NS_PER_S);
    return 0;
}

/* So that a carrier's duties are due in each of its rounds. */
uint64_t explore_cycles(void)
{
    return cycles += 1000000;
}

void *explore_pages(size_t size)
{
    char *memory = arena + arena_used;

    arena_used += (size + 63) & ~(size_t)63;
    if (arena_used > sizeof arena)
        explore_fail("the arena is too small");
    return memory;
}

void explore_pages_free(void)
{
}

struct futex {
    const unsigned *word;
    unsigned value;
};

static bool futex_changed(void *argument)
{
    const struct futex *futex = argument;

    return __atomic_load_n(futex->word, __ATOMIC_RELAXED) != futex->value;
}

/* Without its queue: who waits goes on once the word has changed, as after a wake-up. */
long explore_futex_wait(const void *word, unsigned value, const struct timespec *timeout)
{
    struct futex futex = {word, value};

    (void)timeout;
    explore_wait(futex_changed, &futex);
    return 0;
}

long explore_futex_wake(const void *word, int count)
{
    (void)word;
    return count;
}

long explore_system_call(void)
{
    return 0;
}

static bool is_posted(void *argument)
{
    int value = 0;

    sem_getvalue(argument, &value);
    return value > 0;
}

static int sem_wait_explored(sem_t *posted)
{
    explore_wait(is_posted, posted);
    return sem_trywait(posted);
}

static int sem_clockwait_explored(sem_t *posted, clockid_t clock, const struct timespec *when)
{
    (void)clock;
    (void)when;
    return sem_wait_explored(posted);
}

/* Time. */

uint64_t world_now(void)
{
    return now_ns;
}

static bool time_is_awaited(void *argument)
{
    (void)argument;
    return timers_next() != NO_DEADLINE && timers_next() > now_ns;
}

static void clock_main(void *argument)
{
    for (;;) {
        explore_wait(time_is_awaited, argument);
        if (time_is_awaited(argument))
            now_ns = timers_next();
    }
}

void world_clock(void)
{
    explore_spawn("clock", clock_main, NULL);
}

/* The poller: its kick is an edge-triggered event of which one sleeper learns. */

static bool sleep_is_over(void *argument)
{
    const uint64_t *deadline_ns = argument;

    return kicked || (*deadline_ns != NO_DEADLINE && *deadline_ns <= now_ns);
}

void poller_sleep(struct poller_events *events, uint64_t deadline_ns)
{
    explore_point();
    if (!sleep_is_over(&deadline_ns))
        explore_wait(sleep_is_over, &deadline_ns);
    events->count = kicked;
    kicked = false;
}

bool poller_deliver(const struct poller_events *events, struct carrier *here)
{
    (void)here;
    return events->count > 0;
}

void poller_kick(void)
{
    explore_point();
    kicked = true;
}

bool poller_needed(void)
{
    return true;
}

/* Kernel threads: carriers. */

static void carrier_start(void *argument)
{
    unsigned index = (unsigned)(uintptr_t)argument;

    carrier_mains[index](carrier_arguments[index]);
}

bool kernel_thread_start(int (*function)(void *), void *argument, size_t stack_size,
                         bool preemptible)
{
    static const char *const names[] = {"carrier 0", "carrier 1", "carrier 2", "carrier 3",
                                        "carrier 4", "carrier 5", "carrier 6", "carrier 7"};

    (void)stack_size;
    (void)preemptible;
    carrier_mains[carrier_starts] = function;
    carrier_arguments[carrier_starts] = argument;
    explore_spawn(names[carrier_starts], carrier_start, (void *)(uintptr_t)carrier_starts);
    carrier_starts++;
    return true;
}

/* A signal or a cancellation was noticed: as when a handler without SA_RESTART ran. */
enum attended home_attend(struct uthread *self, bool cancellation_point)
{
    (void)cancellation_point;
    return atomic_fetch_and(&self->attention, ~(unsigned)ATTENTION_SIGNAL) & ATTENTION_SIGNAL
               ? ATTENDED_SIGNAL
               : ATTENDED_NOTHING;
}

/* Not modelled: users' rights, the monitor's sleep, restartable sequences. */

void credentials_apply(struct credentials_seen *seen)
{
    (void)seen;
}

void credentials_begin(struct credentials_seen *seen)
{
    (void)seen;
}

void monitor_busy(void)
{
}

void rseq_disable(void)
{
}
