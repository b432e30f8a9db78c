#include "pscope/home.h"

#include <signal.h>

#include "pscope/carrier.h"
#include "pscope/context.h"
#include "pscope/real.h"
#include "pscope/signals.h"
#include "pscope/sys.h"

/*
 * A parked home takes only glibc's set*id signal. Its handler runs on the home stack with the
 * user thread's TCB and changes two words of it that nothing else uses, atomically, so it may run
 * beside the user thread.
 */
static void block_signals(uint64_t *old)
{
    sys_signal_mask(SIG_SETMASK, SIGNALS_ALL & ~SIGNAL_BIT(SIGNAL_SETXID), old);
}

/*
 * At home the kernel knows the mask best: libc changes it by itself in sighold() and the like, and
 * a handler runs with more blocked than its thread.
 */
static void leave_signals(struct uthread *self)
{
    uint64_t mask;

    block_signals(&mask);
    mask &= ~SIGNALS_NEVER_BLOCKED;
    if (mask == self->signal_mask)
        return;
    self->signal_mask = mask;
    signals_mask_changed(mask);
}

static void unblock_signals(const struct uthread *self)
{
    sys_signal_mask(SIG_SETMASK,
                    self->signal_mask & ~(SIGNAL_BIT(SIGNAL_CANCEL) | SIGNAL_BIT(SIGNAL_SETXID)),
                    NULL);
}

/* On the home stack: the user thread's context is saved, others may run it from here on. */
static void home_wait(void *argument)
{
    struct uthread *thread = argument;

    carrier_submit(thread, NULL);
    while (!atomic_load(&thread->home_turn))
        sys_futex_wait(&thread->home_turn, 0, NULL);
    atomic_store(&thread->home_turn, 0);
    context_resume(thread->context);
}

void home_depart(struct uthread *self)
{
    block_signals(NULL);
    uthread_aboard = self;
    context_call(&self->context, self->home_stack, home_wait, self);
}

/* On the carrier's stack: the kernel thread may run the context from the futex wake on. */
static void leave_home(struct carrier *carrier, struct uthread *thread)
{
    carrier->vcpu->counters.trips_home++;
    atomic_store(&thread->carrier, NULL);
    atomic_store(&thread->home_turn, 1);
    sys_futex_wake(&thread->home_turn, 1);
}

static void arrive(struct uthread *self)
{
    uthread_aboard = NULL;
    carrier_leave(self, leave_home);
}

bool home_enter(void)
{
    struct uthread *self = uthread_aboard;

    if (!self)
        return false;
    arrive(self);
    /* Who cancels us from now on sees us at home and tells glibc; before, it left us a note. */
    if (atomic_load(&self->attention) & ATTENTION_CANCEL)
        REAL(pthread_cancel)(pthread_self());
    atomic_fetch_and(&self->attention, ~(unsigned)ATTENTION_SIGNAL);
    unblock_signals(self);
    return true;
}

/* Signals that came while at home were handled here; those that come now must attract again. */
static void settle_signals(struct uthread *self)
{
    uint64_t pending = 0;

    if (!(atomic_fetch_and(&self->attention, ~(unsigned)ATTENTION_SIGNAL) & ATTENTION_SIGNAL))
        return;
    sys_2(SYS_rt_sigpending, &pending, sizeof pending);
    if (pending & ~self->signal_mask)
        atomic_fetch_or(&self->attention, ATTENTION_SIGNAL);
}

void home_leave(void)
{
    struct uthread *self = uthread_self;

    if (!self || self->bound)
        return;
    leave_signals(self);
    settle_signals(self);
    uthread_aboard = self;
    context_call(&self->context, self->home_stack, home_wait, self);
}

void home_bind(void)
{
    home_enter();
    if (uthread_self)
        uthread_self->bound++;
}

void home_end(void)
{
    struct uthread *self = uthread_self;

    home_bind();
    uthread_unsettle(self);
    uthread_free(self);
}

void home_unbind(void)
{
    if (uthread_self && uthread_self->bound && --uthread_self->bound == 0)
        home_leave();
}

/* Which unblocked signals with a handler are pending, and does every handler restart calls? */
static enum attended what_is_pending(const struct uthread *self)
{
    enum attended result = ATTENDED_NOTHING;
    struct sigaction action;
    uint64_t pending = 0;
    int signo;

    sys_2(SYS_rt_sigpending, &pending, sizeof pending);
    pending &= ~self->signal_mask;
    for (signo = 1; signo <= 64; signo++) {
        if (!(pending & SIGNAL_BIT(signo)) || REAL(sigaction)(signo, NULL, &action))
            continue;
        if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN)
            continue;
        if (!(action.sa_flags & SA_RESTART))
            return ATTENDED_SIGNAL;
        result = ATTENDED_RESTART;
    }
    return result;
}

enum attended home_attend(struct uthread *self, bool cancellation_point)
{
    enum attended result;
    unsigned attention = uthread_attention(self);

    if (!cancellation_point)
        attention &= ~(unsigned)ATTENTION_CANCEL;
    if (!attention)
        return ATTENDED_NOTHING;
    arrive(self);
    atomic_fetch_and(&self->attention, ~(unsigned)ATTENTION_SIGNAL);
    result = what_is_pending(self);
    unblock_signals(self);
    if (attention & ATTENTION_CANCEL) {
        REAL(pthread_cancel)(pthread_self());
        if (!self->start) { /* the main thread, see pthread_exit() */
            home_end();
            REAL(pthread_testcancel)();
            return result;
        }
        REAL(pthread_testcancel)();
        self->cancel_disabled = true; /* it unwinds already, and its handlers may wait */
    }
    home_leave();
    return result;
}
