/*
 * Included before everything else into the scheduler's own sources: each of their atomic
 * operations and lock acquisitions becomes a point where the explorer may go on with another
 * kernel thread, and what they ask of the machine (contexts, the thread pointer, clocks, futexes,
 * memory) is answered by the explorer, the same in every execution.
 *
 * Relaxed operations are no points: where they matter they stand beside one that is. What is
 * explored is sequential consistency, not the reorderings of a weaker machine.
 */
#ifndef TESTS_EXPLORE_INSTRUMENT_H
#define TESTS_EXPLORE_INSTRUMENT_H

#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#include "pscope/context.h"
#include "pscope/sys.h"

/* A point. What the caller does next happens when the explorer comes back to it. */
void explore_point(void);

void explore_lock(atomic_uint *held);
void explore_unlock(atomic_uint *held);
void explore_context_swap(void **save, void *load);
void explore_thread_pointer_set(uintptr_t value);
uintptr_t explore_thread_pointer_get(void);
int explore_clock_gettime(clockid_t clock, struct timespec *time);
uint64_t explore_cycles(void);
void *explore_pages(size_t size);
void explore_pages_free(void);
long explore_futex_wait(const void *word, unsigned value, const struct timespec *timeout);
long explore_futex_wake(const void *word, int count);
long explore_system_call(void);

#define EXPLORE_ORDER memory_order_seq_cst

#undef atomic_load
#undef atomic_store
#undef atomic_exchange
#undef atomic_fetch_add
#undef atomic_fetch_sub
#undef atomic_fetch_or
#undef atomic_fetch_and
#undef atomic_compare_exchange_strong
#undef atomic_compare_exchange_weak

#define atomic_load(p)         (explore_point(), atomic_load_explicit(p, EXPLORE_ORDER))
#define atomic_store(p, v)     (explore_point(), atomic_store_explicit(p, v, EXPLORE_ORDER))
#define atomic_exchange(p, v)  (explore_point(), atomic_exchange_explicit(p, v, EXPLORE_ORDER))
#define atomic_fetch_add(p, v) (explore_point(), atomic_fetch_add_explicit(p, v, EXPLORE_ORDER))
#define atomic_fetch_sub(p, v) (explore_point(), atomic_fetch_sub_explicit(p, v, EXPLORE_ORDER))
#define atomic_fetch_or(p, v)  (explore_point(), atomic_fetch_or_explicit(p, v, EXPLORE_ORDER))
#define atomic_fetch_and(p, v) (explore_point(), atomic_fetch_and_explicit(p, v, EXPLORE_ORDER))
#define atomic_compare_exchange_strong(p, e, d)                                                    \
    (explore_point(),                                                                              \
     atomic_compare_exchange_strong_explicit(p, e, d, EXPLORE_ORDER, EXPLORE_ORDER))
#define atomic_compare_exchange_weak(p, e, d) atomic_compare_exchange_strong(p, e, d)

/* Instead of pscope/spinlock.h: who finds the lock held is not run until it is free. */
#define PSCOPE_SPINLOCK_H
struct spinlock {
    atomic_uint held;
};
static inline void spin_lock(struct spinlock *lock)
{
    explore_lock(&lock->held);
}
static inline void spin_unlock(struct spinlock *lock)
{
    explore_unlock(&lock->held);
}

/* Instead of pscope/thread_pointer.h. */
#define PSCOPE_THREAD_POINTER_H
static inline void thread_pointer_change(uintptr_t *current, uintptr_t value)
{
    (void)current;
    explore_thread_pointer_set(value);
}
static inline uintptr_t thread_pointer_get(void)
{
    return explore_thread_pointer_get();
}

#define context_swap                explore_context_swap
#define clock_gettime               explore_clock_gettime
#define machine_ticks               explore_cycles
#define sys_pages                   explore_pages
#define sys_pages_free(pages, size) explore_pages_free()
#define sys_futex_wait              explore_futex_wait
#define sys_futex_wake              explore_futex_wake
#define sys_call(n, a, b, c, d, e, f)                                                              \
    ((void)(n), (void)(a), (void)(b), (void)(c), (void)(d), (void)(e), (void)(f),                  \
     explore_system_call())

#endif
