#include "pscope/credentials.h"

#include <stddef.h>
#include <stdlib.h>
#include <time.h>

#include "pscope/carrier.h"
#include "pscope/home.h"
#include "pscope/monitor.h"
#include "pscope/preempt.h"
#include "pscope/signals.h"
#include "pscope/spinlock.h"
#include "pscope/sys.h"

#define OTHERS 2 /* the monitor and the signal thread */

/* Why globals: credentials belong to the process. One change at a time, under the lock. */
static struct spinlock lock;
static long call[4];
static atomic_uint change;
static atomic_uint done;
static atomic_bool refused; /* by the kernel, to one of the kernel threads */

/* The exchange: a carrier's signal handler may come between its own look and its call. */
void credentials_apply(struct credentials_seen *seen)
{
    unsigned now = atomic_load_explicit(&change, memory_order_acquire);

    if (now == atomic_load_explicit(&seen->change, memory_order_relaxed) ||
        atomic_exchange(&seen->change, now) == now)
        return;
    if (sys_3(call[0], call[1], call[2], call[3]) < 0)
        atomic_store(&refused, true);
    atomic_fetch_add(&done, 1);
}

void credentials_begin(struct credentials_seen *seen)
{
    atomic_store(&seen->change, atomic_load(&change));
}

/* Carriers are asked by signal: they may be asleep, computing, or kept by the kernel. */
static void wait_for_all(void)
{
    const struct timespec moment = {0, 1000000};
    unsigned seen;

    while ((seen = atomic_load(&done)) < carriers_count() + OTHERS) {
        carriers_each(preempt_kick);
        monitor_busy();
        signals_look_again();
        sys_futex_wait(&done, seen, &moment);
    }
}

void credentials_follow(long number, long a, long b, long c)
{
    home_bind();
    spin_lock(&lock);
    call[0] = number;
    call[1] = a;
    call[2] = b;
    call[3] = c;
    atomic_store(&done, 0);
    atomic_fetch_add(&change, 1);
    wait_for_all();
    spin_unlock(&lock);
    /* Threads of one process with different rights: glibc ends the process then, too. */
    if (atomic_load(&refused))
        abort();
    home_unbind();
}

void credentials_forget(void)
{
    atomic_store(&lock.held, 0);
    atomic_store(&refused, false);
}
