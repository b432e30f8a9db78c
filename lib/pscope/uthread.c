#include "pscope/uthread.h"

#include <string.h>
#include <sys/mman.h>

#include "pscope/carrier.h"
#include "pscope/rseq.h"
#include "pscope/spinlock.h"
#include "pscope/thread_pointer.h"
#include "pscope/timers.h"

__thread struct uthread *uthread_aboard;
__thread struct uthread *uthread_self;

/*
 * One user thread's memory: a guard page, the home stack, and the struct at its top. Room for a
 * signal frame with all vector registers, as glibc's set*id signal arrives on the home stack.
 */
#define HOME_STACK_SIZE ((size_t)20 * 1024)
#define SLOTS_PER_SLAB  16

/*
 * How often to look for a thread that is starting, with a rest in between after the first looks:
 * five seconds in all, since on a busy machine it may wait that long for a CPU. The limit is for
 * the handle of a system-scope thread while others are starting without end.
 */
#define STARTING_LOOKS   25000
#define STARTING_YIELDS  20
#define STARTING_REST_NS 200000

/* Why globals: the process has one set of user threads. */
static struct spinlock pool_lock;
static struct uthread *pool; /* never unmapped: a late reader may look at a freed thread */
static struct spinlock registry_lock;
static struct ring registry;
static atomic_uint registered_count;
static atomic_uint allocated_count;
static atomic_uint starting;

static struct uthread *slot_thread(char *slot, size_t slot_size)
{
    size_t size = (sizeof(struct uthread) + 63) & ~(size_t)63;

    return (void *)(slot + slot_size - size);
}

static void pool_add(struct uthread *thread)
{
    spin_lock(&pool_lock);
    thread->next_free = pool;
    pool = thread;
    spin_unlock(&pool_lock);
}

static bool grow_pool(void)
{
    size_t guard_size = sys_page_size(), slot_size = guard_size + sys_whole_pages(HOME_STACK_SIZE);
    char *slab = mmap(NULL, SLOTS_PER_SLAB * slot_size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    size_t i;

    if (slab == MAP_FAILED)
        return false;
    for (i = 0; i < SLOTS_PER_SLAB; i++) {
        mprotect(slab + i * slot_size, guard_size, PROT_NONE);
        pool_add(slot_thread(slab + i * slot_size, slot_size));
    }
    return true;
}

struct uthread *uthread_allocate(void)
{
    struct uthread *thread;

    for (;;) {
        spin_lock(&pool_lock);
        thread = pool;
        if (thread)
            pool = thread->next_free;
        spin_unlock(&pool_lock);
        if (thread)
            break;
        if (!grow_pool())
            return NULL;
    }
    atomic_fetch_add(&allocated_count, 1);
    memset(thread, 0, sizeof *thread);
    thread->home_stack = thread;
    return thread;
}

void uthread_free(struct uthread *thread)
{
    atomic_fetch_sub(&allocated_count, 1);
    pool_add(thread);
}

unsigned uthread_allocated(void)
{
    return atomic_load(&allocated_count);
}

void uthread_settle(struct uthread *thread)
{
    thread->thread_pointer = thread_pointer_get();
    thread->tid = (pid_t)sys_0(SYS_gettid);
    thread->handle = pthread_self();
    rseq_disable();
    spin_lock(&registry_lock);
    ring_append(&registry, &thread->registered);
    spin_unlock(&registry_lock);
    atomic_fetch_add(&registered_count, 1);
    uthread_self = thread;
}

void uthread_unsettle(struct uthread *thread)
{
    uthread_self = NULL;
    spin_lock(&registry_lock);
    ring_remove(&registry, &thread->registered);
    spin_unlock(&registry_lock);
    atomic_fetch_sub(&registered_count, 1);
}

unsigned uthread_count(void)
{
    return atomic_load(&registered_count);
}

void uthread_starting_begin(void)
{
    atomic_fetch_add(&starting, 1);
}

void uthread_starting_end(void)
{
    atomic_fetch_sub(&starting, 1);
}

/*
 * pthread_t is the thread's TCB and initial-exec variables lie at one distance from it in every
 * thread, so the other thread's uthread_self can be read in place.
 */
struct uthread *uthread_of(pthread_t handle)
{
    ptrdiff_t distance = (char *)&uthread_self - (char *)pthread_self();
    struct uthread **other = (void *)((char *)handle + distance);
    const struct timespec rest = {0, STARTING_REST_NS};
    struct uthread *thread;
    unsigned looks;

    /* The order matters: a thread that has just settled is no longer starting, but visible. */
    for (looks = 0; atomic_load(&starting) && looks < STARTING_LOOKS; looks++) {
        thread = __atomic_load_n(other, __ATOMIC_ACQUIRE);
        if (thread)
            return thread;
        if (looks < STARTING_YIELDS)
            sys_0(SYS_sched_yield);
        else
            sys_2(SYS_nanosleep, &rest, NULL);
    }
    return __atomic_load_n(other, __ATOMIC_ACQUIRE);
}

void uthread_each(bool (*visit)(struct uthread *thread, void *argument), void *argument)
{
    struct ring_link *link;

    spin_lock(&registry_lock);
    for (link = registry.first; link; link = ring_next(&registry, link))
        if (!visit(RING_MEMBER(link, struct uthread, registered), argument))
            break;
    spin_unlock(&registry_lock);
}

void uthread_attract_visited(struct uthread *thread, unsigned attention)
{
    atomic_fetch_or(&thread->attention, attention);
    unpark(thread, WAKE_INTERRUPT, NULL);
}

bool uthread_attract(pthread_t handle, unsigned attention)
{
    struct uthread *thread = uthread_of(handle);
    bool found;

    if (!thread)
        return false;
    spin_lock(&registry_lock);
    found = ring_linked(&thread->registered) && pthread_equal(thread->handle, handle);
    if (found)
        uthread_attract_visited(thread, attention);
    spin_unlock(&registry_lock);
    return found;
}

void uthread_forget_all(void)
{
    registry = (struct ring){NULL};
    atomic_store(&registered_count, 0);
    atomic_store(&allocated_count, 0);
    atomic_store(&starting, 0);
    atomic_store(&registry_lock.held, 0);
    atomic_store(&pool_lock.held, 0);
    uthread_self = NULL;
    uthread_aboard = NULL;
}

static void leave_parked(struct carrier *carrier, struct uthread *thread)
{
    unsigned armed = WAKE_ARMED;

    if (!atomic_compare_exchange_strong(&thread->wake, &armed, WAKE_PARKED))
        carrier_submit(thread, carrier);
}

enum wake park_commit(struct uthread *self, uint64_t deadline_ns, unsigned heed)
{
    unsigned armed = WAKE_ARMED;

    if ((uthread_attention(self) & heed) &&
        atomic_compare_exchange_strong(&self->wake, &armed, WAKE_INTERRUPT))
        return WAKE_INTERRUPT;
    if (deadline_ns != NO_DEADLINE)
        timers_add(&self->timer, deadline_ns);
    carrier_here()->vcpu->counters.parks++;
    carrier_leave(self, leave_parked);
    if (deadline_ns != NO_DEADLINE)
        timers_remove(&self->timer);
    return atomic_load(&self->wake);
}

bool unpark(struct uthread *thread, enum wake reason, struct carrier *here)
{
    unsigned state = atomic_load(&thread->wake);

    do {
        if (state != WAKE_ARMED && state != WAKE_PARKED)
            return false;
    } while (!atomic_compare_exchange_weak(&thread->wake, &state, reason));
    if (state == WAKE_PARKED)
        carrier_submit(thread, here);
    return true;
}
