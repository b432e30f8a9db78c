#include "pscope/credentials.h"

#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#include "pscope/carrier.h"
#include "pscope/home.h"
#include "pscope/poller.h"
#include "pscope/signals.h"
#include "pscope/spinlock.h"
#include "pscope/sys.h"

/* Why globals: credentials belong to the process. One change at a time, under the lock. */
static struct spinlock lock;
static long call[4];
static atomic_uint change;
static atomic_uint done;
static atomic_bool changing;

void credentials_apply(struct credentials_seen *seen)
{
    unsigned now = atomic_load_explicit(&change, memory_order_acquire);

    if (now == seen->change)
        return;
    seen->change = now;
    sys_3(call[0], call[1], call[2], call[3]);
    atomic_fetch_add(&done, 1);
}

bool credentials_changing(void)
{
    return atomic_load(&changing);
}

void credentials_forget(void)
{
    atomic_store(&lock.held, 0);
    atomic_store(&changing, false);
}

static void wait_for_all(void)
{
    const struct timespec moment = {0, 1000000};
    unsigned seen;

    while ((seen = atomic_load(&done)) < carriers_count() + 1) {
        poller_kick();
        signals_look_again();
        sys_futex_wait(&done, seen, &moment);
    }
}

void credentials_follow(long number, long a, long b, long c)
{
    /* At home, so that the carriers are free to follow. */
    home_bind();
    spin_lock(&lock);
    call[0] = number;
    call[1] = a;
    call[2] = b;
    call[3] = c;
    atomic_store(&done, 0);
    atomic_store(&changing, true);
    atomic_fetch_add(&change, 1);
    wait_for_all();
    atomic_store(&changing, false);
    spin_unlock(&lock);
    home_unbind();
}
