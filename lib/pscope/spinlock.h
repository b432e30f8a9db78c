/*
 * Spin locks for sections of a few dozen instructions. A holder may lose its CPU, so a long spin
 * gives ours away. Never held across a switch of user threads.
 */
#ifndef PSCOPE_SPINLOCK_H
#define PSCOPE_SPINLOCK_H

#include <stdatomic.h>

#include "pscope/sys.h"

struct spinlock {
    atomic_uint held;
};

static inline void spin_lock(struct spinlock *lock)
{
    unsigned spins = 0;

    while (atomic_exchange_explicit(&lock->held, 1, memory_order_acquire)) {
        while (atomic_load_explicit(&lock->held, memory_order_relaxed)) {
            if (++spins < 100)
                machine_pause();
            else
                sys_0(SYS_sched_yield);
        }
    }
}

static inline void spin_unlock(struct spinlock *lock)
{
    atomic_store_explicit(&lock->held, 0, memory_order_release);
}

#endif
