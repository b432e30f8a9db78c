/*
 * Signals. A user thread's mask is kept in it and given to its kernel thread when it is at home.
 * Waiting for signals, and whatever may have to deliver one, happens there.
 */
#include <errno.h>
#include <string.h>

#include "pscope/home.h"
#include "pscope/process.h"
#include "pscope/real.h"
#include "pscope/signals.h"
#include "pscope/sys.h"

static uint64_t set_bits(const sigset_t *set)
{
    uint64_t bits;

    memcpy(&bits, set, sizeof bits);
    return bits;
}

static void store_bits(sigset_t *set, uint64_t bits)
{
    memset(set, 0, sizeof *set);
    memcpy(set, &bits, sizeof bits);
}

/* What is newly unblocked and pending must be delivered before the call returns: at home. */
static void change_mask(struct uthread *self, uint64_t mask)
{
    bool unblocks = self->signal_mask & ~mask;

    self->signal_mask = mask & ~SIGNALS_NEVER_BLOCKED;
    signals_mask_changed(self->signal_mask);
    if (unblocks && home_enter())
        home_leave();
}

static int mask_aboard(struct uthread *self, int how, const sigset_t *set, sigset_t *old)
{
    uint64_t mask = self->signal_mask, bits;

    if (set) {
        if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
            return EINVAL;
        bits = set_bits(set);
        change_mask(self, how == SIG_BLOCK     ? mask | bits
                          : how == SIG_UNBLOCK ? mask & ~bits
                                               : bits);
    }
    if (old)
        store_bits(old, mask);
    return 0;
}

/* In a handler, too: there the kernel's mask is the handler's, and ends with it. */
static int mask_at_home(struct uthread *self, int how, const sigset_t *set, sigset_t *old)
{
    int result = REAL(pthread_sigmask)(how, set, old);

    if (result == 0 && set) {
        self->signal_mask = signals_own_mask();
        signals_mask_changed(self->signal_mask);
    }
    return result;
}

INTERPOSE int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    struct uthread *self = uthread_self;

    if (!self)
        return REAL(pthread_sigmask)(how, set, old);
    return uthread_aboard ? mask_aboard(self, how, set, old) : mask_at_home(self, how, set, old);
}

INTERPOSE int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    return (int)sys_result(-pthread_sigmask(how, set, old));
}

INTERPOSE int sigpending(sigset_t *set)
{
    return AT_HOME(int, REAL(sigpending)(set));
}

INTERPOSE int sigwait(const sigset_t *restrict set, int *restrict signo)
{
    return AT_HOME(int, REAL(sigwait)(set, signo));
}

INTERPOSE int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
    return AT_HOME(int, REAL(sigwaitinfo)(set, info));
}

INTERPOSE int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
                           const struct timespec *restrict timeout)
{
    return AT_HOME(int, REAL(sigtimedwait)(set, info, timeout));
}

INTERPOSE int sigsuspend(const sigset_t *set)
{
    return AT_HOME(int, REAL(sigsuspend)(set));
}

INTERPOSE int pause(void)
{
    return AT_HOME(int, REAL(pause)());
}

/* The functions of System V and BSD that change or use the mask inside of libc. */
int bsd_sigpause(int mask) __asm__("sigpause"); /* the header has only the other meaning */

INTERPOSE int __xpg_sigpause(int signo)
{
    return AT_HOME(int, REAL(__xpg_sigpause)(signo));
}

INTERPOSE int __sigpause(int signo_or_mask, int is_signo)
{
    return AT_HOME(int, REAL(__sigpause)(signo_or_mask, is_signo));
}

INTERPOSE int bsd_sigpause(int mask)
{
    return __sigpause(mask, 0);
}

INTERPOSE int sighold(int signo)
{
    return AT_HOME(int, REAL(sighold)(signo));
}

INTERPOSE int sigrelse(int signo)
{
    return AT_HOME(int, REAL(sigrelse)(signo));
}

INTERPOSE __sighandler_t sigset(int signo, __sighandler_t disposition)
{
    return AT_HOME(__sighandler_t, REAL(sigset)(signo, disposition));
}

/* The mask is that of signals 1 to 32 alone; so is what they return. */
static int change_bsd_mask(int how, int mask)
{
    sigset_t set, old;

    store_bits(&set, (unsigned)mask);
    pthread_sigmask(how, &set, &old);
    return (int)set_bits(&old);
}

INTERPOSE int sigblock(int mask)
{
    return change_bsd_mask(SIG_BLOCK, mask);
}

INTERPOSE int sigsetmask(int mask)
{
    return change_bsd_mask(SIG_SETMASK, mask);
}

INTERPOSE int sigaltstack(const stack_t *restrict stack, stack_t *restrict old)
{
    return AT_HOME(int, REAL(sigaltstack)(stack, old));
}

INTERPOSE int raise(int signo)
{
    return AT_HOME(int, REAL(raise)(signo));
}

/* If the process itself is meant, one of its threads takes the signal before this returns. */
INTERPOSE int kill(pid_t pid, int signo)
{
    return AT_HOME(int, REAL(kill)(pid, signo));
}

/* A signal is on its way to the home of `handle`: the thread must go there for it. */
static void attract(pthread_t handle, int signo)
{
    struct uthread *thread = uthread_of(handle);

    if (!thread || signo <= 0 || (thread->signal_mask & SIGNAL_BIT(signo)))
        return;
    uthread_attract(handle, ATTENTION_SIGNAL);
}

INTERPOSE int pthread_kill(pthread_t handle, int signo)
{
    int result;

    /* glibc sends it to the calling kernel thread then. */
    if (pthread_equal(handle, pthread_self()))
        return AT_HOME(int, REAL(pthread_kill)(handle, signo));
    result = REAL(pthread_kill)(handle, signo);
    if (process_active && result == 0)
        attract(handle, signo);
    return result;
}

struct by_tid {
    pid_t tid;
    int signo;
};

static bool attract_tid(struct uthread *thread, void *argument)
{
    const struct by_tid *sought = argument;

    if (thread->tid != sought->tid)
        return true;
    if (sought->signo > 0 && !(thread->signal_mask & SIGNAL_BIT(sought->signo)))
        uthread_attract_visited(thread, ATTENTION_SIGNAL);
    return false;
}

INTERPOSE int tgkill(pid_t pid, pid_t tid, int signo)
{
    struct by_tid sought = {tid, signo};
    int result;

    if (uthread_self && tid == uthread_self->tid)
        return AT_HOME(int, REAL(tgkill)(pid, tid, signo));
    result = REAL(tgkill)(pid, tid, signo);
    if (process_active && result == 0)
        uthread_each(attract_tid, &sought);
    return result;
}

/*
 * The signals of a timer that are meant for one thread come to its home without anybody being told,
 * so it stays there from now on.
 */
INTERPOSE int timer_create(clockid_t clock, struct sigevent *restrict event,
                           timer_t *restrict timer)
{
    if (event && event->sigev_notify == SIGEV_THREAD_ID && uthread_self &&
        event->_sigev_un._tid == uthread_self->tid)
        home_bind();
    return AT_HOME(int, REAL(timer_create)(clock, event, timer));
}

INTERPOSE int pthread_sigqueue(pthread_t handle, int signo, const union sigval value)
{
    int result;

    if (pthread_equal(handle, pthread_self()))
        return AT_HOME(int, REAL(pthread_sigqueue)(handle, signo, value));
    result = REAL(pthread_sigqueue)(handle, signo, value);
    if (process_active && result == 0)
        attract(handle, signo);
    return result;
}
