#include "pscope/parking.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "pscope/carrier.h"
#include "pscope/home.h"
#include "pscope/real.h"
#include "pscope/spinlock.h"

#define BUCKETS 1024 /* a power of two */

struct bucket {
    _Alignas(64) struct spinlock lock;
    atomic_uint count; /* waiters in the ring, and those that are about to be */
    struct ring waiters;
};

/* One waiting thread; on its stack. */
struct parked {
    struct ring_link link;
    const void *key;
    struct uthread *thread; /* NULL: it sleeps in the kernel, on `woken` */
    sem_t *woken;
};

/* Why a global: an address means the same in the whole process. */
static struct bucket buckets[BUCKETS];

static struct bucket *bucket_of(const void *key)
{
    /* Fibonacci hashing: the high bits of the product depend on all bits of the address. */
    return &buckets[((uintptr_t)key >> 3) * UINT64_C(0x9e3779b97f4a7c15) >> 54];
}

_Static_assert(BUCKETS == 1 << (64 - 54), "the hash keeps as many bits as there are buckets");

static void unlink_parked(struct bucket *bucket, struct parked *parked)
{
    ring_remove(&bucket->waiters, &parked->link);
    atomic_fetch_sub(&bucket->count, 1);
}

/* Takes a waiter out of the lot; false when a waker has done so already. */
static bool withdraw(struct bucket *bucket, struct parked *parked)
{
    bool linked;

    spin_lock(&bucket->lock);
    linked = ring_linked(&parked->link);
    if (linked)
        unlink_parked(bucket, parked);
    spin_unlock(&bucket->lock);
    return linked;
}

enum wake parking_wait(const struct parking_wait *wait)
{
    struct uthread *self = uthread_aboard;
    struct parked parked = {.key = wait->key, .thread = self};
    struct bucket *bucket = bucket_of(wait->key);
    enum wake result;

    park_begin(self);
    spin_lock(&bucket->lock);
    atomic_fetch_add(&bucket->count, 1);
    if (wait->must_wait && !wait->must_wait(wait->argument)) {
        atomic_fetch_sub(&bucket->count, 1);
        spin_unlock(&bucket->lock);
        return WAKE_ARMED;
    }
    ring_append(&bucket->waiters, &parked.link);
    spin_unlock(&bucket->lock);
    if (wait->release)
        wait->release(wait->argument);
    result = park_commit(self, wait->deadline_ns, wait->heed);
    if (result != WAKE_OBJECT)
        withdraw(bucket, &parked);
    return result;
}

struct sleeper {
    struct parked parked;
    void (*reacquire)(void *argument);
    void *argument;
};

/* A cancelled thread takes no wake-up with it. */
static void sleeper_cancelled(void *argument)
{
    struct sleeper *sleeper = argument;
    const void *key = sleeper->parked.key;

    if (!withdraw(bucket_of(key), &sleeper->parked))
        parking_wake(key, 1);
    sleeper->reacquire(sleeper->argument);
}

/* glibc's semaphores are cancellation points and know both clocks; this one is nobody else's. */
static void sleep_until_woken(sem_t *woken, clockid_t clock, const struct timespec *when)
{
    int result;

    do {
        result = when ? REAL(sem_clockwait)(woken, clock, when) : REAL(sem_wait)(woken);
    } while (result && errno == EINTR);
}

enum wake parking_wait_in_kernel(const struct parking_wait *wait, clockid_t clock,
                                 const struct timespec *when, void (*reacquire)(void *argument))
{
    sem_t woken;
    struct sleeper sleeper = {.parked = {.key = wait->key, .woken = &woken},
                              .reacquire = reacquire,
                              .argument = wait->argument};
    struct bucket *bucket = bucket_of(wait->key);

    sem_init(&woken, 0, 0);
    spin_lock(&bucket->lock);
    atomic_fetch_add(&bucket->count, 1);
    ring_append(&bucket->waiters, &sleeper.parked.link);
    spin_unlock(&bucket->lock);
    wait->release(wait->argument);
    pthread_cleanup_push(sleeper_cancelled, &sleeper);
    sleep_until_woken(&woken, clock, when);
    pthread_cleanup_pop(0);
    /* Always, so that a waker that found us is done with our stack. */
    return withdraw(bucket, &sleeper.parked) ? WAKE_TIMEOUT : WAKE_OBJECT;
}

/* With the bucket locked and the waiter unlinked: false when its wait has just ended otherwise. */
static bool wake_parked(const struct parked *parked, struct carrier *here)
{
    if (parked->thread)
        return unpark(parked->thread, WAKE_OBJECT, here);
    REAL(sem_post)(parked->woken);
    return true;
}

unsigned parking_wake(const void *key, unsigned most)
{
    struct bucket *bucket = bucket_of(key);
    struct ring_link *link, *next;
    struct carrier *here = carrier_here();
    unsigned woken = 0;

    if (atomic_load(&bucket->count) == 0)
        return 0;
    spin_lock(&bucket->lock);
    for (link = bucket->waiters.first; link && woken < most; link = next) {
        struct parked *parked = RING_MEMBER(link, struct parked, link);

        next = ring_next(&bucket->waiters, link);
        if (parked->key != key)
            continue;
        unlink_parked(bucket, parked);
        woken += wake_parked(parked, here);
    }
    spin_unlock(&bucket->lock);
    return woken;
}

struct acquisition {
    void *object;
    int (*attempt)(void *object);
    int busy;
    int result;
};

static bool still_busy(void *argument)
{
    struct acquisition *acquisition = argument;

    acquisition->result = acquisition->attempt(acquisition->object);
    return acquisition->result == acquisition->busy;
}

int parking_acquire(void *object, int (*attempt)(void *object), int busy, uint64_t deadline_ns,
                    bool interruptible)
{
    struct acquisition acquisition = {object, attempt, busy, 0};
    unsigned cancel = interruptible ? ATTENTION_CANCEL : 0;
    struct parking_wait wait = {.key = object,
                                .must_wait = still_busy,
                                .argument = &acquisition,
                                .deadline_ns = deadline_ns,
                                .heed = ATTENTION_SIGNAL | cancel};

    for (;;) {
        enum wake wake = parking_wait(&wait);

        if (wake == WAKE_ARMED || !still_busy(&acquisition))
            return acquisition.result;
        if (wake == WAKE_TIMEOUT)
            return ETIMEDOUT;
        if (wake == WAKE_INTERRUPT && home_attend(uthread_self, interruptible) == ATTENDED_SIGNAL &&
            interruptible)
            return EINTR;
    }
}

void parking_forget(void)
{
    memset(buckets, 0, sizeof buckets);
}
