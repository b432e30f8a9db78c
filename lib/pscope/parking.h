/*
 * The parking lot: threads that wait for something at an address (a lock, a semaphore, a condition
 * variable, a futex word). The objects stay glibc's own. System-scope threads (and user threads at
 * home) wait for locks in the kernel as ever, and who changes one wakes both; for condition
 * variables, which have no "try", they wait here, too.
 *
 * Why no wake-up is lost: a waiter raises its bucket's count, then looks at the object once more,
 * then parks. A waker changes the object, then looks at the count. Both pairs are sequentially
 * consistent by machine_full_fence(), so one of the two sees the other.
 */
#ifndef PSCOPE_PARKING_H
#define PSCOPE_PARKING_H

#include <stdbool.h>
#include <stdint.h>

#include "pscope/spinlock.h"
#include "pscope/uthread.h"

/*
 * Waits at `key` until parking_wake(), the deadline, or attention among `heed`. must_wait(argument)
 * is called with the bucket locked, behind the count; when it says false nothing is waited for and
 * the result is WAKE_ARMED. release(argument), if any, is called without the lock, when the
 * caller can be found and before it sleeps. The caller is aboard. Switches threads.
 */
struct parking_wait {
    const void *key;
    bool (*must_wait)(void *argument); /* NULL: always */
    void (*release)(void *argument);   /* NULL: nothing */
    void *argument;
    uint64_t deadline_ns; /* NO_DEADLINE: none */
    unsigned heed;        /* bits of enum attention */
    bool resumes;         /* goes on waiting behind a signal handler, if it missed no wake-up */
    bool lost;            /* was woken before, and found the object taken again */
};
enum wake parking_wait(const struct parking_wait *wait);

/*
 * The same for a thread that is not aboard: it sleeps in the kernel. A cancellation point: a
 * cancelled thread leaves the lot and calls reacquire(argument) before it unwinds.
 */
enum wake parking_wait_kernel(const struct parking_wait *wait, void (*reacquire)(void *argument));

/* The waiters of all addresses that hash to one bucket; here for parking_wake() alone. */
struct parking_bucket {
    _Alignas(64) struct spinlock lock;
    atomic_uint count; /* waiters in the ring, and those that are about to be */
    struct ring waiters;
    unsigned wakings; /* how often somebody came to wake, under the lock */
};
#define PARKING_BUCKETS_BITS 10
extern struct parking_bucket parking_buckets[1 << PARKING_BUCKETS_BITS]
    __attribute__((visibility("hidden")));

static inline struct parking_bucket *parking_bucket_of(const void *key)
{
    /* Fibonacci hashing: the high bits of the product depend on all bits of the address. */
    return &parking_buckets[((uintptr_t)key >> 3) * UINT64_C(0x9e3779b97f4a7c15) >>
                            (64 - PARKING_BUCKETS_BITS)];
}

unsigned parking_wake_waiters(struct parking_bucket *bucket, const void *key, unsigned most);

/* Whether anybody may be waiting at `key`; sequentially consistent. */
static inline bool parking_waited_for(const void *key)
{
    machine_full_fence();
    return atomic_load(&parking_bucket_of(key)->count) > 0;
}

/*
 * Wakes up to `most` threads that wait at `key`, the longest-waiting first; how many. The caller,
 * if aboard, gets uthread.gives_way when one of them has `lost`.
 */
static inline unsigned parking_wake(const void *key, unsigned most)
{
    return parking_waited_for(key) ? parking_wake_waiters(parking_bucket_of(key), key, most) : 0;
}

/*
 * Calls attempt(object) until it returns something other than `busy`, parking in between:
 * 0 or the attempt's error; ETIMEDOUT; or, if `interruptible`, EINTR when a signal handler ran.
 * The caller is aboard.
 */
int parking_acquire(void *object, int (*attempt)(void *object), int busy, uint64_t deadline_ns,
                    bool interruptible);

/* Forgets all: in the child of a fork. */
void parking_forget(void);

#endif
