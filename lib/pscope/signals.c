#include "pscope/signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "pscope/credentials.h"
#include "pscope/kernel_thread.h"
#include "pscope/real.h"
#include "pscope/sys.h"
#include "pscope/uthread.h"

#define STACK_SIZE (64 * 1024)

/*
 * glibc keeps signals 32 and 33 for itself and sends them only to threads that it knows, so 32
 * is free for "look again" to a thread that it does not know.
 */
#define LOOK_AGAIN 32

/* Why globals: one signal thread a process. */
static atomic_int signal_tid;
static _Atomic uint64_t waited_for; /* signals that the thread waits for at present */

static bool add_unblocked(struct uthread *thread, void *argument)
{
    uint64_t *set = argument;

    *set |= ~thread->signal_mask;
    return true;
}

static uint64_t wanted_signals(void)
{
    uint64_t set = 0;

    uthread_each(add_unblocked, &set);
    set &= ~(kernel_thread_faults | SIGNAL_BIT(SIGKILL) | SIGNAL_BIT(SIGSTOP) | SIGNAL_BIT(32) |
             SIGNAL_BIT(33));
    atomic_store(&waited_for, set);
    return set;
}

void signals_look_again(void)
{
    if (atomic_load(&signal_tid))
        sys_3(SYS_tgkill, sys_0(SYS_getpid), atomic_load(&signal_tid), LOOK_AGAIN);
}

void signals_mask_changed(uint64_t mask)
{
    uint64_t missing = ~mask & ~atomic_load(&waited_for) & ~kernel_thread_faults;

    missing &= ~(SIGNAL_BIT(SIGKILL) | SIGNAL_BIT(SIGSTOP) | SIGNAL_BIT(32) | SIGNAL_BIT(33));
    if (missing)
        signals_look_again();
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
    waits = atomic_load(&thread->wake) == WAKE_PARKED || !atomic_load(&thread->carrier);
    if (!choice->best || waits)
        choice->best = thread;
    return !waits;
}

struct delivery {
    struct choice choice;
    siginfo_t *info;
    bool done;
};

static bool deliver_to_chosen(struct uthread *thread, void *argument)
{
    struct delivery *delivery = argument;

    if (thread != delivery->choice.best)
        return true;
    sys_4(SYS_rt_tgsigqueueinfo, sys_0(SYS_getpid), thread->tid, delivery->choice.signo,
          delivery->info);
    uthread_attract_visited(thread, ATTENTION_SIGNAL);
    delivery->done = true;
    return false;
}

/* The default action belongs to the whole process: let the kernel do it to this thread, at once. */
static void take_default(int signo)
{
    uint64_t set = SIGNAL_BIT(signo);

    sys_3(SYS_tgkill, sys_0(SYS_getpid), sys_0(SYS_gettid), signo);
    sys_signal_mask(SIG_UNBLOCK, set, NULL);
    sys_signal_mask(SIG_BLOCK, set, NULL);
}

static void pass_on(int signo, siginfo_t *info)
{
    struct delivery delivery = {.choice = {.signo = signo}, .info = info};
    struct sigaction action;

    if (REAL(sigaction)(signo, NULL, &action))
        return;
    if (action.sa_handler == SIG_IGN)
        return;
    if (action.sa_handler == SIG_DFL) {
        take_default(signo);
        return;
    }
    uthread_each(choose, &delivery.choice);
    if (delivery.choice.best)
        uthread_each(deliver_to_chosen, &delivery);
    /* All have blocked it since: back to the process's queue, and out of what we wait for. */
    wanted_signals();
    if (!delivery.done)
        sys_3(SYS_rt_sigqueueinfo, sys_0(SYS_getpid), signo, info);
}

static _Noreturn void signal_loop(void)
{
    struct credentials_seen credentials = {0};
    siginfo_t info;

    for (;;) {
        uint64_t set;
        long signo;

        credentials_apply(&credentials);
        set = wanted_signals() | SIGNAL_BIT(LOOK_AGAIN);
        signo = sys_4(SYS_rt_sigtimedwait, &set, &info, NULL, sizeof set);
        if (signo > 0 && signo != LOOK_AGAIN)
            pass_on((int)signo, &info);
    }
}

static int signal_main(void *argument)
{
    (void)argument;
    sys_2(SYS_prctl, PR_SET_NAME, "pscope-signal");
    atomic_store(&signal_tid, (int)sys_0(SYS_gettid));
    signal_loop();
}

bool signals_start(void)
{
    atomic_store(&signal_tid, 0);
    atomic_store(&waited_for, 0);
    return kernel_thread_start(signal_main, NULL, STACK_SIZE);
}
