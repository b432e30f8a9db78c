#include "pscope/poller.h"

#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "pscope/carrier.h"
#include "pscope/descriptors.h"
#include "pscope/spinlock.h"
#include "pscope/timers.h"

#define DESCRIPTORS_MAX (1 << 20) /* Linux' own default limit, fs.nr_open */
#define KICK            UINT64_MAX

struct descriptor {
    struct spinlock lock;
    uint32_t registered;     /* the EPOLL bits that are in the set, 0: not in it */
    atomic_uint events[2];   /* counts per direction */
    struct ring waiters[2];  /* under the lock */
    atomic_uint flags_epoch; /* of `blocking` */
    _Atomic unsigned char blocking;
    _Atomic unsigned char kind; /* enum poller_kind */
    atomic_bool shut;
};

/* Why globals: the process has one table of descriptors. */
static struct descriptor *descriptors;
static int epoll_fd = -1;
static int kick_fd = -1;
static bool pwait2;                 /* the kernel has epoll_pwait2(), and allows it */
static atomic_uint waiting;         /* watches that are linked */
static atomic_uint flags_epoch = 1; /* changes with every change of O_NONBLOCK */

static bool add_kick(void)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.u64 = KICK};

    return sys_4(SYS_epoll_ctl, epoll_fd, EPOLL_CTL_ADD, kick_fd, &event) == 0;
}

bool poller_start(void)
{
    struct timespec now = {0, 0};
    struct epoll_event event;
    void *table = mmap(NULL, DESCRIPTORS_MAX * sizeof *descriptors, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (table == MAP_FAILED)
        return false;
    descriptors = table;
    epoll_fd = descriptor_out_of_the_way(sys_1(SYS_epoll_create1, EPOLL_CLOEXEC));
    kick_fd = descriptor_out_of_the_way(sys_2(SYS_eventfd2, 0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (epoll_fd < 0 || kick_fd < 0 || !add_kick())
        return false;
    pwait2 = sys_6(SYS_epoll_pwait2, epoll_fd, &event, 1, &now, NULL, 8) >= 0;
    return true;
}

bool poller_covers(int fd)
{
    return descriptors && fd >= 0 && fd < DESCRIPTORS_MAX;
}

void poller_watch(struct poller_watch *watch, int fd, enum direction direction, bool consumes)
{
    *watch = (struct poller_watch){
        .thread = uthread_aboard, .fd = fd, .direction = direction, .consumes = consumes};
    watch->seen = atomic_load(&descriptors[fd].events[direction]);
}

/*
 * Input stays registered for good. Output is added while somebody waits for it: every datagram
 * sent would otherwise report free space.
 */
static long register_descriptor(struct descriptor *descriptor, int fd, enum direction direction)
{
    uint32_t wanted = EPOLLIN | EPOLLPRI | EPOLLRDHUP | EPOLLET;
    struct epoll_event event = {.data.u64 = (uint64_t)fd};
    long result;

    if (direction == DIRECTION_OUT)
        wanted |= EPOLLOUT;
    else if (descriptor->registered)
        return 0;
    event.events = wanted;
    if (descriptor->registered)
        result = sys_4(SYS_epoll_ctl, epoll_fd, EPOLL_CTL_MOD, fd, &event);
    else
        result = sys_4(SYS_epoll_ctl, epoll_fd, EPOLL_CTL_ADD, fd, &event);
    if (result == -EEXIST)
        result = sys_4(SYS_epoll_ctl, epoll_fd, EPOLL_CTL_MOD, fd, &event);
    else if (result == -ENOENT)
        result = sys_4(SYS_epoll_ctl, epoll_fd, EPOLL_CTL_ADD, fd, &event);
    if (result == 0)
        descriptor->registered = wanted;
    return result;
}

/* Links the watch unless an event came since it was noted. 1: linked, 0: try again, or -errno. */
static long link_watch(struct poller_watch *watch)
{
    struct descriptor *descriptor = &descriptors[watch->fd];
    long result = 0;

    spin_lock(&descriptor->lock);
    if (atomic_load(&descriptor->events[watch->direction]) == watch->seen) {
        result = register_descriptor(descriptor, watch->fd, watch->direction);
        if (result == 0) {
            ring_append(&descriptor->waiters[watch->direction], &watch->link);
            atomic_fetch_add(&waiting, 1);
            result = 1;
        }
    }
    spin_unlock(&descriptor->lock);
    return result;
}

static void unlink_locked(struct descriptor *descriptor, struct poller_watch *watch)
{
    ring_remove(&descriptor->waiters[watch->direction], &watch->link);
    atomic_fetch_sub(&waiting, 1);
}

static void unlink_watches(struct poller_watch *watches, unsigned count)
{
    unsigned i;

    for (i = 0; i < count; i++) {
        struct descriptor *descriptor = &descriptors[watches[i].fd];

        spin_lock(&descriptor->lock);
        if (ring_linked(&watches[i].link))
            unlink_locked(descriptor, &watches[i]);
        spin_unlock(&descriptor->lock);
    }
}

enum wake poller_wait(struct uthread *self, struct poller_watch *watches, unsigned count,
                      uint64_t deadline_ns, unsigned heed)
{
    enum wake result = WAKE_OBJECT;
    unsigned linked;
    long state = 1;

    park_begin(self);
    for (linked = 0; linked < count; linked++) {
        state = link_watch(&watches[linked]);
        if (state != 1)
            break;
    }
    if (state == 1)
        result = park_commit(self, deadline_ns, heed);
    else if (state == -EPERM || state == -ELOOP || state == -EINVAL || state == -ENOMEM ||
             state == -ENOSPC)
        result = WAKE_ARMED;
    unlink_watches(watches, linked);
    return result;
}

/* With the descriptor locked. All watchers that only look are woken, and one that consumes. */
static void wake_waiters(struct descriptor *descriptor, enum direction direction, bool everyone,
                         struct carrier *here)
{
    struct ring *ring = &descriptor->waiters[direction];
    struct ring_link *link, *next;
    bool consumed = false;

    for (link = ring->first; link; link = next) {
        struct poller_watch *watch = RING_MEMBER(link, struct poller_watch, link);

        next = ring_next(ring, link);
        if (watch->consumes && consumed && !everyone)
            continue;
        unlink_locked(descriptor, watch);
        if (unpark(watch->thread, WAKE_OBJECT, here) && watch->consumes)
            consumed = true;
    }
}

void poller_pass_on(int fd, enum direction direction)
{
    struct descriptor *descriptor = &descriptors[fd];

    if (!__atomic_load_n(&descriptor->waiters[direction].first, __ATOMIC_RELAXED))
        return;
    spin_lock(&descriptor->lock);
    wake_waiters(descriptor, direction, false, carrier_here());
    spin_unlock(&descriptor->lock);
}

static void forget_descriptor(struct descriptor *descriptor, int fd)
{
    int direction;

    spin_lock(&descriptor->lock);
    /* A duplicate may keep the file open, and then its events would come under this number. */
    if (descriptor->registered)
        sys_4(SYS_epoll_ctl, epoll_fd, EPOLL_CTL_DEL, fd, NULL);
    descriptor->registered = 0;
    for (direction = DIRECTION_IN; direction <= DIRECTION_OUT; direction++) {
        atomic_fetch_add(&descriptor->events[direction], 1);
        wake_waiters(descriptor, (enum direction)direction, true, carrier_here());
    }
    atomic_store(&descriptor->flags_epoch, 0);
    atomic_store(&descriptor->kind, POLLER_KIND_UNKNOWN);
    atomic_store(&descriptor->shut, false);
    spin_unlock(&descriptor->lock);
}

static bool known(const struct descriptor *descriptor)
{
    return descriptor->registered || atomic_load(&descriptor->flags_epoch) ||
           atomic_load(&descriptor->kind) != POLLER_KIND_UNKNOWN;
}

void poller_closing(int fd)
{
    if (poller_covers(fd) && known(&descriptors[fd]))
        forget_descriptor(&descriptors[fd], fd);
}

int poller_opened(int fd)
{
    if (poller_covers(fd) && known(&descriptors[fd]))
        forget_descriptor(&descriptors[fd], fd);
    return fd;
}

bool poller_blocking(int fd)
{
    struct descriptor *descriptor = &descriptors[fd];
    unsigned epoch = atomic_load(&flags_epoch);

    if (atomic_load(&descriptor->flags_epoch) != epoch) {
        long flags = sys_3(SYS_fcntl, fd, F_GETFL, 0);

        if (flags < 0)
            return false;
        atomic_store(&descriptor->blocking, !(flags & O_NONBLOCK));
        atomic_store(&descriptor->flags_epoch, epoch);
    }
    return atomic_load(&descriptor->blocking);
}

bool poller_shut(int fd)
{
    return atomic_load(&descriptors[fd].shut);
}

void poller_flags_changed(void)
{
    if (atomic_fetch_add(&flags_epoch, 1) == UINT_MAX)
        atomic_store(&flags_epoch, 1);
}

enum poller_kind poller_kind(int fd)
{
    struct descriptor *descriptor = &descriptors[fd];
    unsigned char kind = atomic_load(&descriptor->kind);
    struct stat status;

    if (kind != POLLER_KIND_UNKNOWN)
        return kind;
    if (sys_2(SYS_fstat, fd, &status) < 0)
        return POLLER_KIND_UNKNOWN;
    if (S_ISSOCK(status.st_mode))
        kind = POLLER_KIND_SOCKET;
    else if (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) || S_ISBLK(status.st_mode))
        kind = POLLER_KIND_DISK;
    else
        kind = POLLER_KIND_OTHER;
    atomic_store(&descriptor->kind, kind);
    return kind;
}

bool poller_needed(void)
{
    return atomic_load_explicit(&waiting, memory_order_relaxed) > 0;
}

/* Kernels before 5.11, filters of system calls: whole milliseconds, never less than asked for. */
static int milliseconds_up(const struct timespec *timeout)
{
    if (!timeout)
        return -1;
    if (timeout->tv_sec >= INT_MAX / 1000)
        return INT_MAX;
    return (int)(timeout->tv_sec * 1000 + (timeout->tv_nsec + 999999) / 1000000);
}

void poller_sleep(struct poller_events *events, uint64_t deadline_ns)
{
    struct timespec limit = {0, 0}, *timeout = &limit;
    long count;

    if (deadline_ns == NO_DEADLINE) {
        timeout = NULL;
    } else if (deadline_ns) {
        uint64_t now = timers_now();
        uint64_t left = deadline_ns > now ? deadline_ns - now : 0;

        limit.tv_sec = (time_t)(left / NS_PER_S);
        limit.tv_nsec = (long)(left % NS_PER_S);
    }
    if (pwait2)
        count = sys_6(SYS_epoll_pwait2, epoll_fd, events->events, POLLER_EVENTS, timeout, NULL, 8);
    else
        count = sys_6(SYS_epoll_pwait, epoll_fd, events->events, POLLER_EVENTS,
                      milliseconds_up(timeout), NULL, 8);
    events->count = count > 0 ? (unsigned)count : 0;
}

static void deliver(const struct epoll_event *event, struct carrier *here)
{
    struct descriptor *descriptor = &descriptors[event->data.u64];

    bool shut = event->events & EPOLLRDHUP;

    spin_lock(&descriptor->lock);
    if (shut)
        atomic_store(&descriptor->shut, true);
    if (event->events & ~(uint32_t)EPOLLOUT) {
        atomic_fetch_add(&descriptor->events[DIRECTION_IN], 1);
        wake_waiters(descriptor, DIRECTION_IN, shut, here);
    }
    if (event->events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) {
        atomic_fetch_add(&descriptor->events[DIRECTION_OUT], 1);
        wake_waiters(descriptor, DIRECTION_OUT, false, here);
    }
    spin_unlock(&descriptor->lock);
}

bool poller_deliver(const struct poller_events *events, struct carrier *here)
{
    bool kicked = false;
    unsigned i;

    for (i = 0; i < events->count; i++) {
        if (events->events[i].data.u64 == KICK)
            kicked = true;
        else
            deliver(&events->events[i], here);
    }
    return kicked;
}

void poller_kick(void)
{
    uint64_t one = 1;

    sys_3(SYS_write, kick_fd, &one, sizeof one);
}

void poller_forget(void)
{
    if (!descriptors)
        return;
    sys_1(SYS_close, epoll_fd);
    sys_1(SYS_close, kick_fd);
    munmap(descriptors, DESCRIPTORS_MAX * sizeof *descriptors);
    descriptors = NULL;
    epoll_fd = kick_fd = -1;
    atomic_store(&waiting, 0);
}
