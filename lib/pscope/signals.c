#include "pscope/signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>

#include "pscope/credentials.h"
#include "pscope/descriptors.h"
#include "pscope/kernel_thread.h"
#include "pscope/real.h"
#include "pscope/sys.h"
#include "pscope/uthread.h"

#define STACK_SIZE (64 * 1024)

/* Never of interest: what cannot be blocked, and what glibc sends to its own threads. */
#define NEVER (SIGNALS_NEVER_BLOCKED | kernel_thread_faults)

/* Why globals: one signal thread a process. */
static _Atomic uint64_t watched; /* signals that the signalfd reports */
static int signal_fd = -1;
static int look_again_fd = -1;
static int epoll_fd = -1;
static struct credentials_seen credentials;

static bool add_unblocked(struct uthread *thread, void *argument)
{
    uint64_t *set = argument;

    *set |= ~thread->signal_mask;
    return true;
}

/* Watches what at least one user thread has not blocked. */
static uint64_t watch_unblocked(void)
{
    uint64_t set = 0;

    uthread_each(add_unblocked, &set);
    set &= ~NEVER;
    if (set != atomic_load(&watched)) {
        sys_4(SYS_signalfd4, signal_fd, &set, sizeof set, SFD_NONBLOCK | SFD_CLOEXEC);
        atomic_store(&watched, set);
    }
    return set;
}

void signals_look_again(void)
{
    uint64_t one = 1;

    if (look_again_fd >= 0)
        sys_3(SYS_write, look_again_fd, &one, sizeof one);
}

void signals_mask_changed(uint64_t mask)
{
    if (~mask & ~atomic_load(&watched) & ~NEVER)
        signals_look_again();
}

uint64_t signals_own_mask(void)
{
    uint64_t mask;

    if (uthread_aboard)
        return uthread_aboard->signal_mask;
    sys_signal_mask(SIG_BLOCK, 0, &mask);
    return mask;
}

struct choice {
    int signo;
    struct uthread *best;
};

/* The first that waits, or else the first that has it unblocked; the main thread is the first. */
static bool choose(struct uthread *thread, void *argument)
{
    struct choice *choice = argument;
    bool waits;

    if (thread->signal_mask & SIGNAL_BIT(choice->signo))
        return true;
    waits = atomic_load(&thread->wake) == WAKE_PARKED;
    if (!choice->best || waits)
        choice->best = thread;
    return !waits;
}

static bool attract_chosen(struct uthread *thread, void *argument)
{
    if (thread != ((struct choice *)argument)->best)
        return true;
    uthread_attract_visited(thread, ATTENTION_SIGNAL);
    return false;
}

/* The default action belongs to the whole process: the kernel does it to this thread, at once. */
static void take_default(int signo)
{
    sys_signal_mask(SIG_UNBLOCK, SIGNAL_BIT(signo), NULL);
    sys_signal_mask(SIG_BLOCK, SIGNAL_BIT(signo), NULL);
}

static void discard(int signo)
{
    const struct timespec now = {0, 0};
    uint64_t set = SIGNAL_BIT(signo);

    sys_4(SYS_rt_sigtimedwait, &set, NULL, &now, sizeof set);
}

static void pass_on(int signo)
{
    struct choice choice = {.signo = signo};
    struct sigaction action;

    if (REAL(sigaction)(signo, NULL, &action))
        return;
    if (action.sa_handler == SIG_IGN) {
        discard(signo);
    } else if (action.sa_handler == SIG_DFL) {
        take_default(signo);
    } else {
        uthread_each(choose, &choice);
        uthread_each(attract_chosen, &choice);
    }
}

static void pass_on_pending(uint64_t wanted)
{
    uint64_t pending = 0;
    int signo;

    sys_2(SYS_rt_sigpending, &pending, sizeof pending);
    pending &= wanted;
    for (signo = 1; signo <= 64; signo++)
        if (pending & SIGNAL_BIT(signo))
            pass_on(signo);
}

/*
 * The events are edges: a signal that stays pending until its thread gets home is reported once.
 * A thread that unblocks a pending signal takes it itself (wrap_signal.c).
 */
static _Noreturn void signal_loop(void)
{
    struct epoll_event event;

    for (;;) {
        credentials_apply(&credentials);
        pass_on_pending(watch_unblocked());
        sys_6(SYS_epoll_pwait, epoll_fd, &event, 1, -1, NULL, 8);
    }
}

static int signal_main(void *argument)
{
    (void)argument;
    sys_2(SYS_prctl, PR_SET_NAME, "pscope-signal");
    signal_loop();
}

static bool add_edge(int fd)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLET};

    return sys_4(SYS_epoll_ctl, epoll_fd, EPOLL_CTL_ADD, fd, &event) == 0;
}

bool signals_start(void)
{
    uint64_t none = 0;

    credentials_begin(&credentials);
    atomic_store(&watched, 0);
    signal_fd = descriptor_out_of_the_way(
        sys_4(SYS_signalfd4, -1, &none, sizeof none, SFD_NONBLOCK | SFD_CLOEXEC));
    look_again_fd = descriptor_out_of_the_way(sys_2(SYS_eventfd2, 0, EFD_CLOEXEC | EFD_NONBLOCK));
    epoll_fd = descriptor_out_of_the_way(sys_1(SYS_epoll_create1, EPOLL_CLOEXEC));
    return signal_fd >= 0 && look_again_fd >= 0 && epoll_fd >= 0 && add_edge(signal_fd) &&
           add_edge(look_again_fd) && kernel_thread_start(signal_main, NULL, STACK_SIZE, false);
}

void signals_forget(void)
{
    sys_1(SYS_close, epoll_fd);
    sys_1(SYS_close, signal_fd);
    sys_1(SYS_close, look_again_fd);
    epoll_fd = signal_fd = look_again_fd = -1;
}
