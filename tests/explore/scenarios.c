/*
 * explore_pscope [--expect-failure] PREEMPTIONS: explores the scheduler's own code until a schedule
 * fails. Status 0 when all hold; with --expect-failure, when one does not: so a mutant proves that
 * the explorer would have found it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explorer.h"
#include "pscope/carrier.h"
#include "pscope/parking.h"
#include "pscope/timers.h"
#include "world.h"

/* What the scenarios share; each begin() sets what it uses. */
static struct {
    atomic_int lock;  /* 1: held */
    atomic_int units; /* of a semaphore */
    bool inside;
    bool signalled;
    unsigned done, refused;
} shared;

static struct uthread *interrupted;

static int try_lock(void *object)
{
    int free = 0;

    (void)object;
    return atomic_compare_exchange_strong(&shared.lock, &free, 1) ? 0 : EBUSY;
}

static void unlock(void *object)
{
    atomic_store(&shared.lock, 0);
    parking_wake(object, 1);
}

static void acquire_lock(void)
{
    int result = try_lock(&shared.lock);

    if (result == EBUSY)
        result = parking_acquire(&shared.lock, try_lock, EBUSY, NO_DEADLINE, false);
    EXPLORE_REQUIRE(result == 0);
}

static int try_unit(void *object)
{
    int units = atomic_load(&shared.units);

    (void)object;
    while (units > 0)
        if (atomic_compare_exchange_strong(&shared.units, &units, units - 1))
            return 0;
    return EAGAIN;
}

static void post(void)
{
    atomic_fetch_add(&shared.units, 1);
    parking_wake(&shared.units, 1);
}

/* Mutual exclusion and no lost wake-up among users of a lock. */

static void use_lock(void *argument)
{
    unsigned i;

    (void)argument;
    for (i = 0; i < 2; i++) {
        acquire_lock();
        EXPLORE_REQUIRE(!shared.inside);
        shared.inside = true;
        explore_point();
        shared.inside = false;
        shared.done++;
        unlock(&shared.lock);
    }
}

static void begin_lock(void)
{
    unsigned i;

    world_start(2);
    for (i = 0; i < 3; i++)
        world_user(use_lock, NULL);
}

static void check_lock(void)
{
    world_check_ended();
    EXPLORE_REQUIRE(shared.done == 6);
}

/* Semaphore: one may time out, one may be interrupted, a kernel thread posts; nothing is lost. */

static void take_unit(void *argument)
{
    uint64_t limit_ns = *(const uint64_t *)argument;
    int result =
        parking_acquire(&shared.units, try_unit, EAGAIN, limit_ns, limit_ns == NO_DEADLINE - 1);

    if (result == 0)
        shared.done++;
    else
        shared.refused++;
    EXPLORE_REQUIRE(result == 0 || result == ETIMEDOUT || result == EINTR);
    EXPLORE_REQUIRE(result != ETIMEDOUT || world_now() >= limit_ns);
}

static const uint64_t no_limit = NO_DEADLINE, short_limit = 1000, interruptible = NO_DEADLINE - 1;

static void post_from_outside(void *argument)
{
    (void)argument;
    post();
    post();
}

static void begin_timeout(void)
{
    world_start(2);
    world_clock();
    world_user(take_unit, (void *)(uintptr_t)&short_limit);
    world_user(take_unit, (void *)(uintptr_t)&no_limit);
    explore_spawn("poster", post_from_outside, NULL);
}

static void check_units(void)
{
    world_check_ended();
    EXPLORE_REQUIRE(shared.done + shared.refused == 2);
    EXPLORE_REQUIRE((int)shared.done + atomic_load(&shared.units) == 2);
}

static void interrupt(void *argument)
{
    (void)argument;
    uthread_attract_visited(interrupted, ATTENTION_SIGNAL);
}

static void begin_interrupt(void)
{
    world_start(2);
    interrupted = world_user(take_unit, (void *)(uintptr_t)&interruptible);
    world_user(take_unit, (void *)(uintptr_t)&no_limit);
    explore_spawn("poster", post_from_outside, NULL);
    explore_spawn("interrupter", interrupt, NULL);
}

/* Condition variable: a user thread and a kernel thread wait in the lot, another user wakes both.
 */

static void lock_again(void *argument)
{
    (void)argument;
    while (try_lock(&shared.lock) == EBUSY)
        explore_point();
}

static struct parking_wait cond_wait(void)
{
    return (struct parking_wait){.key = &shared.signalled,
                                 .release = unlock,
                                 .argument = &shared.lock,
                                 .deadline_ns = NO_DEADLINE};
}

static void wait_for_signal(void *argument)
{
    struct parking_wait wait = cond_wait();

    (void)argument;
    acquire_lock();
    while (!shared.signalled) {
        parking_wait(&wait);
        acquire_lock();
    }
    shared.done++;
    unlock(&shared.lock);
}

static bool lock_is_free(void *argument)
{
    (void)argument;
    return atomic_load_explicit(&shared.lock, memory_order_relaxed) == 0;
}

static void acquire_lock_in_kernel(void)
{
    while (try_lock(&shared.lock) == EBUSY)
        explore_wait(lock_is_free, NULL);
}

static void wait_for_signal_in_kernel(void *argument)
{
    struct parking_wait wait = cond_wait();

    (void)argument;
    acquire_lock_in_kernel();
    while (!shared.signalled) {
        parking_wait_kernel(&wait, lock_again);
        acquire_lock_in_kernel();
    }
    shared.done++;
    unlock(&shared.lock);
}

static void signal_all(void *argument)
{
    (void)argument;
    acquire_lock();
    shared.signalled = true;
    unlock(&shared.lock);
    parking_wake(&shared.signalled, 2);
}

static void begin_cond(void)
{
    world_start(2);
    world_user(wait_for_signal, NULL);
    world_user(signal_all, NULL);
    explore_spawn("waiter", wait_for_signal_in_kernel, NULL);
}

static void check_cond(void)
{
    world_check_ended();
    EXPLORE_REQUIRE(shared.done == 2);
}

/* Queues: threads that come from outside while carriers go idle; they yield and are stolen. */

static void yield_twice(void *argument)
{
    (void)argument;
    carrier_yield(uthread_self);
    carrier_yield(uthread_self);
    shared.done++;
}

static void submit_from_outside(void *argument)
{
    (void)argument;
    world_user(yield_twice, NULL);
}

static void begin_yield(void)
{
    world_start(2);
    world_user(yield_twice, NULL);
    world_user(yield_twice, NULL);
    explore_spawn("submitter", submit_from_outside, NULL);
}

static void begin_steal(void)
{
    unsigned i;

    world_start(3);
    for (i = 0; i < 3; i++)
        world_user(yield_twice, NULL);
}

static void check_three(void)
{
    world_check_ended();
    EXPLORE_REQUIRE(shared.done == 3);
}

/* One thread wakes many: the woken carriers find all of them, on whatever queue. */

static void wait_for_unit(void *argument)
{
    (void)argument;
    EXPLORE_REQUIRE(parking_acquire(&shared.units, try_unit, EAGAIN, NO_DEADLINE, false) == 0);
    shared.done++;
}

static bool two_done(void *argument)
{
    (void)argument;
    return shared.done >= 2;
}

/* It never comes back to its carrier meanwhile, so others must run those whom it woke. */
static void post_and_stay(void *argument)
{
    (void)argument;
    post_from_outside(NULL);
    explore_wait(two_done, NULL);
    shared.done++;
}

static void begin_stay(void)
{
    world_start(2);
    world_user(wait_for_unit, NULL);
    world_user(wait_for_unit, NULL);
    world_user(post_and_stay, NULL);
}

/* Two threads that need both virtual CPUs at once are submitted at once, to idle carriers. */

static bool both_run(void *argument)
{
    (void)argument;
    return shared.done >= 2;
}

static void need_both(void *argument)
{
    (void)argument;
    shared.done++;
    explore_wait(both_run, NULL);
}

static void submit_both(void *argument)
{
    (void)argument;
    world_user(need_both, NULL);
    world_user(need_both, NULL);
}

static void begin_both(void)
{
    world_start(2);
    explore_spawn("submitter", submit_both, NULL);
}

/* A wake-up for one goes to one that still waits, not to one whose time was over. */

static void wait_once(void *argument)
{
    struct parking_wait wait = {.key = &shared, .deadline_ns = *(const uint64_t *)argument};

    if (parking_wait(&wait) == WAKE_OBJECT)
        shared.done++;
}

static bool two_wait(void *argument)
{
    (void)argument;
    return atomic_load_explicit(&parking_bucket_of(&shared)->count, memory_order_relaxed) == 2;
}

static void wake_one(void *argument)
{
    explore_wait(two_wait, argument);
    shared.signalled = true;
    parking_wake(&shared, 1);
}

static void begin_one(void)
{
    world_start(1);
    world_user(wait_once, (void *)(uintptr_t)&short_limit);
    world_user(wait_once, (void *)(uintptr_t)&no_limit);
    explore_spawn("waker", wake_one, NULL);
    world_clock();
}

static void check_one(void)
{
    EXPLORE_REQUIRE(shared.done == shared.signalled);
}

/* A deadline that was not needed does not end the next wait. */

static void take_two_units(void *argument)
{
    (void)argument;
    take_unit((void *)(uintptr_t)&short_limit);
    take_unit((void *)(uintptr_t)&no_limit);
}

static void begin_deadline(void)
{
    world_start(1);
    world_clock();
    world_user(take_two_units, NULL);
    explore_spawn("poster", post_from_outside, NULL);
}

/* The monitor replaces a carrier at any moment; its thread comes back to a queue. */

static void substitute(void *argument)
{
    struct vcpu *vcpu = vcpus_get(0);

    (void)argument;
    carrier_substitute(atomic_load(&vcpu->carrier));
    carrier_substitute(atomic_load(&vcpu->carrier));
}

static void begin_substitute(void)
{
    world_start(1);
    world_user(yield_twice, NULL);
    world_user(yield_twice, NULL);
    explore_spawn("monitor", substitute, NULL);
    shared.done = 1;
}

/* A signal's handler runs in the middle of a wait that goes on behind it, and no wake-up is lost.
 */

static void wait_through_signals(void *argument)
{
    struct parking_wait wait = cond_wait();

    (void)argument;
    wait.heed = ATTENTION_SIGNAL;
    wait.resumes = true;
    acquire_lock();
    while (!shared.signalled) {
        parking_wait(&wait);
        acquire_lock();
    }
    shared.done++;
    unlock(&shared.lock);
}

static void begin_resume(void)
{
    world_start(2);
    interrupted = world_user(wait_through_signals, NULL);
    world_user(signal_all, NULL);
    explore_spawn("interrupter", interrupt, NULL);
}

static void check_resume(void)
{
    world_check_ended();
    EXPLORE_REQUIRE(shared.done == 1);
}

/* Two virtual CPUs sleep, one of them until a timer; it is the one that new work wakes and keeps.
 */

static bool one_gave_up(void *argument)
{
    (void)argument;
    return shared.refused > 0;
}

static void stay_until_one_gave_up(void *argument)
{
    explore_wait(one_gave_up, argument);
    shared.done++;
}

static void submit_one_that_stays(void *argument)
{
    world_user(stay_until_one_gave_up, argument);
}

static void begin_unattended(void)
{
    world_start(2);
    world_clock();
    world_user(take_unit, (void *)(uintptr_t)&short_limit);
    explore_spawn("submitter", submit_one_that_stays, NULL);
}

static void check_unattended(void)
{
    world_check_ended();
    EXPLORE_REQUIRE(shared.refused == 1 && shared.done == 1);
}

/* Those with few schedules come first. */
static const struct scenario scenarios[] = {
    {"substitute", begin_substitute, check_three},
    {"one", begin_one, check_one},
    {"lock", begin_lock, check_lock},
    {"stay", begin_stay, check_three},
    {"deadline", begin_deadline, check_units},
    {"unattended", begin_unattended, check_unattended},
    {"resume", begin_resume, check_resume},
    {"both", begin_both, world_check_ended},
    {"cond", begin_cond, check_cond},
    {"yield", begin_yield, check_three},
    {"steal", begin_steal, check_three},
    {"interrupt", begin_interrupt, check_units},
    {"timeout", begin_timeout, check_units},
};

/* Before each execution. */
static const struct scenario *chosen;

static void begin_chosen(void)
{
    memset(&shared, 0, sizeof shared);
    chosen->begin();
}

int main(int argc, char **argv)
{
    bool expect_failure = argc == 3 && strcmp(argv[1], "--expect-failure") == 0;
    unsigned preemptions, failures = 0, i;

    if (argc != 2 && !expect_failure) {
        fprintf(stderr, "usage: explore_pscope [--expect-failure] PREEMPTIONS\n");
        return 2;
    }
    preemptions = (unsigned)strtoul(argv[argc - 1], NULL, 10);
    for (i = 0; i < sizeof scenarios / sizeof scenarios[0] && !failures; i++) {
        struct scenario scenario = scenarios[i];

        chosen = &scenarios[i];
        scenario.begin = begin_chosen;
        failures += !explore(&scenario, preemptions);
        fflush(stdout);
    }
    return (failures > 0) != expect_failure;
}
