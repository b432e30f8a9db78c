#include "pscope/parking.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "pscope/carrier.h"
#include "pscope/home.h"
#include "pscope/real.h"
#include "pscope/spinlock.h"
#include "pscope/timers.h"

/* One waiting thread; on its stack. */
struct parked {
    struct ring_link link;
    const void *key;
    struct uthread *thread; /* NULL: a kernel thread, in `posted` */
    bool lost;
    sem_t posted;
};

/* Why a global: an address means the same in the whole process. */
struct parking_bucket parking_buckets[1 << PARKING_BUCKETS_BITS];

/*
 * With the bucket locked, which a kernel thread takes before it gives up: so its semaphore is there
 * until the post is done. False when a user thread's wait has just ended otherwise.
 */
static bool wake_parked(struct parked *parked, struct carrier *here)
{
    if (parked->thread) {
        if (parked->lost && here)
            here->running->gives_way = true;
        return unpark(parked->thread, WAKE_OBJECT, here);
    }
    REAL(sem_post)(&parked->posted);
    return true;
}

static void unlink_parked(struct parking_bucket *bucket, struct parked *parked)
{
    ring_remove(&bucket->waiters, &parked->link);
    atomic_fetch_sub(&bucket->count, 1);
}

/*
 * Runs the signal handlers that interrupted a wait, out of the ring, since a handler may leave by
 * siglongjmp(), but still counted, so that whoever comes to wake takes the lock and is noticed.
 * True: nobody came, and the wait goes on. False: out of the ring and no longer counted, or a
 * cancellation is due.
 */
static bool resume(struct uthread *self, struct parking_bucket *bucket, struct parked *parked)
{
    unsigned wakings;
    bool linked, missed;

    if (uthread_attention(self) & ATTENTION_CANCEL)
        return false;
    spin_lock(&bucket->lock);
    linked = ring_linked(&parked->link);
    if (linked)
        ring_remove(&bucket->waiters, &parked->link);
    wakings = bucket->wakings;
    spin_unlock(&bucket->lock);
    if (!linked)
        return false;
    home_attend(self, false);
    park_begin(self);
    spin_lock(&bucket->lock);
    missed = bucket->wakings != wakings;
    if (missed)
        atomic_fetch_sub(&bucket->count, 1);
    else
        ring_append(&bucket->waiters, &parked->link);
    spin_unlock(&bucket->lock);
    return !missed;
}

enum wake parking_wait(const struct parking_wait *wait)
{
    struct uthread *self = uthread_aboard;
    struct parked parked = {.key = wait->key, .thread = self, .lost = wait->lost};
    struct parking_bucket *bucket = parking_bucket_of(wait->key);
    enum wake result;

    park_begin(self);
    spin_lock(&bucket->lock);
    atomic_fetch_add(&bucket->count, 1);
    machine_full_fence();
    if (wait->must_wait && !wait->must_wait(wait->argument)) {
        atomic_fetch_sub(&bucket->count, 1);
        spin_unlock(&bucket->lock);
        return WAKE_ARMED;
    }
    ring_append(&bucket->waiters, &parked.link);
    spin_unlock(&bucket->lock);
    if (wait->release)
        wait->release(wait->argument);
    do
        result = park_commit(self, wait->deadline_ns, wait->heed);
    while (result == WAKE_INTERRUPT && wait->resumes && resume(self, bucket, &parked));
    if (result == WAKE_OBJECT)
        return result;
    spin_lock(&bucket->lock);
    if (ring_linked(&parked.link))
        unlink_parked(bucket, &parked);
    spin_unlock(&bucket->lock);
    return result;
}

/* Takes the caller out of the lot; false when somebody has, to wake it. */
static bool give_up(struct parked *parked)
{
    struct parking_bucket *bucket = parking_bucket_of(parked->key);
    bool linked;

    spin_lock(&bucket->lock);
    linked = ring_linked(&parked->link);
    if (linked)
        unlink_parked(bucket, parked);
    spin_unlock(&bucket->lock);
    return linked;
}

struct kernel_wait {
    struct parked parked;
    void (*reacquire)(void *argument);
    void *argument;
};

static void cancelled(void *argument)
{
    struct kernel_wait *wait = argument;

    /* A wake-up that came together with the cancellation is for somebody else. */
    if (!give_up(&wait->parked))
        parking_wake(wait->parked.key, 1);
    wait->reacquire(wait->argument);
}

static void sleep_until_posted(sem_t *posted, uint64_t deadline_ns)
{
    struct timespec when = {(time_t)(deadline_ns / NS_PER_S), (long)(deadline_ns % NS_PER_S)};

    for (;;) {
        int result = deadline_ns == NO_DEADLINE
                         ? REAL(sem_wait)(posted)
                         : REAL(sem_clockwait)(posted, CLOCK_MONOTONIC, &when);

        if (result == 0 || errno != EINTR)
            return;
    }
}

enum wake parking_wait_kernel(const struct parking_wait *wait, void (*reacquire)(void *argument))
{
    struct kernel_wait kernel = {
        .parked.key = wait->key, .reacquire = reacquire, .argument = wait->argument};
    struct parking_bucket *bucket = parking_bucket_of(wait->key);
    int saved = errno;

    sem_init(&kernel.parked.posted, 0, 0);
    spin_lock(&bucket->lock);
    atomic_fetch_add(&bucket->count, 1);
    ring_append(&bucket->waiters, &kernel.parked.link);
    spin_unlock(&bucket->lock);
    wait->release(wait->argument);
    pthread_cleanup_push(cancelled, &kernel);
    sleep_until_posted(&kernel.parked.posted, wait->deadline_ns);
    pthread_cleanup_pop(0);
    errno = saved;
    /* Always with the lock, so that a waker that found us is done with our stack. */
    return give_up(&kernel.parked) ? WAKE_TIMEOUT : WAKE_OBJECT;
}

unsigned parking_wake_waiters(struct parking_bucket *bucket, const void *key, unsigned most)
{
    struct ring_link *link, *next;
    struct carrier *here = carrier_here();
    unsigned woken = 0;

    spin_lock(&bucket->lock);
    bucket->wakings++;
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
        wait.lost = wake == WAKE_OBJECT;
        if (wake == WAKE_INTERRUPT && home_attend(uthread_self, interruptible) == ATTENDED_SIGNAL &&
            interruptible)
            return EINTR;
    }
}

void parking_forget(void)
{
    memset(parking_buckets, 0, sizeof parking_buckets);
}
