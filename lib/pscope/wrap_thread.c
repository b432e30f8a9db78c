/* Threads: create, join, exit, names, scope, cancellation. */
#include <errno.h>
#include <limits.h>

#include "pscope/carrier.h"
#include "pscope/home.h"
#include "pscope/parking.h"
#include "pscope/preempt.h"
#include "pscope/process.h"
#include "pscope/real.h"
#include "pscope/signals.h"
#include "pscope/sys.h"
#include "pscope/timers.h"

/* glibc's internal attribute has its flags behind the scheduling parameters; bit 2 is the scope. */
struct attribute_head {
    int priority, policy, flags;
};
#define FLAG_EXPLICIT_SCHED 0x2
#define FLAG_SCOPE_PROCESS  0x4

static struct attribute_head *head_of(const pthread_attr_t *attributes)
{
    return (void *)(uintptr_t)attributes;
}

INTERPOSE int pthread_attr_setscope(pthread_attr_t *attributes, int scope)
{
    if (scope != PTHREAD_SCOPE_PROCESS && scope != PTHREAD_SCOPE_SYSTEM)
        return EINVAL;
    if (scope == PTHREAD_SCOPE_PROCESS)
        head_of(attributes)->flags |= FLAG_SCOPE_PROCESS;
    else
        head_of(attributes)->flags &= ~FLAG_SCOPE_PROCESS;
    return 0;
}

INTERPOSE int pthread_attr_getscope(const pthread_attr_t *attributes, int *scope)
{
    *scope = head_of(attributes)->flags & FLAG_SCOPE_PROCESS ? PTHREAD_SCOPE_PROCESS
                                                             : PTHREAD_SCOPE_SYSTEM;
    return 0;
}

/* The environment decides for all; else the attribute; else, inheriting, the creator's scope. */
static bool wants_process_scope(const pthread_attr_t *attributes)
{
    int flags = attributes ? head_of(attributes)->flags : 0;

    if (process_config()->scope != CONFIG_SCOPE_ATTRIBUTE)
        return process_config()->scope == CONFIG_SCOPE_PROCESS;
    if (flags & FLAG_SCOPE_PROCESS)
        return true;
    return !(flags & FLAG_EXPLICIT_SCHED) && uthread_self;
}

/*
 * The thread's end however it comes about: its outermost cleanup handler. Not the destructor of a
 * key, since all PTHREAD_KEYS_MAX are the program's. What follows (destructors, glibc's exit) is
 * done by the kernel thread, at home. In the child of a fork() it is no user thread any more.
 */
static void end_thread(void *argument)
{
    if (uthread_self == argument)
        home_end();
}

static struct uthread *new_thread(void *(*start)(void *), void *argument)
{
    struct uthread *thread = uthread_allocate();

    if (!thread)
        return NULL;
    if (!timers_reserve(uthread_allocated())) {
        uthread_free(thread);
        return NULL;
    }
    thread->start = start;
    thread->argument = argument;
    return thread;
}

/* The first function of a home. */
static void *thread_main(void *argument)
{
    struct uthread *self = argument;
    uint64_t mask, all;
    void *volatile result = NULL; /* across the setjmp() of the cleanup handler */

    /* It was cloned from a carrier, whose name it has. */
    sys_2(SYS_prctl, PR_SET_NAME, process_thread_name);
    /*
     * The creator blocked all; anything else comes from pthread_attr_setsigmask_np(). What "all"
     * is, the kernel says: emulators know fewer signals.
     */
    sys_signal_mask(SIG_BLOCK, SIGNALS_ALL, &mask);
    sys_signal_mask(SIG_BLOCK, 0, &all);
    if (all & ~mask & ~SIGNALS_NEVER_BLOCKED)
        self->signal_mask = mask;
    uthread_settle(self);
    uthread_starting_end();
    signals_mask_changed(self->signal_mask);
    pthread_cleanup_push(end_thread, self);
    home_depart(self);
    result = self->start(self->argument);
    pthread_cleanup_pop(1);
    return result;
}

/* The main thread becomes a user thread; returns aboard. */
static void adopt_main(void)
{
    struct uthread *thread;

    if (uthread_self || sys_0(SYS_gettid) != sys_0(SYS_getpid))
        return;
    thread = new_thread(NULL, NULL);
    if (!thread)
        return;
    sys_signal_mask(SIG_BLOCK, 0, &thread->signal_mask);
    uthread_settle(thread);
    signals_mask_changed(thread->signal_mask);
    home_depart(thread);
}

static int create(pthread_t *handle, const pthread_attr_t *attributes, struct uthread *thread)
{
    uint64_t mask;
    int result;

    /* So that the new kernel thread starts with all blocked. */
    sys_signal_mask(SIG_SETMASK, SIGNALS_ALL, &mask);
    thread->signal_mask = uthread_aboard ? uthread_aboard->signal_mask : mask;
    uthread_starting_begin();
    result = REAL(pthread_create)(handle, attributes, thread_main, thread);
    if (result)
        uthread_starting_end();
    sys_signal_mask(SIG_SETMASK, mask, NULL);
    return result;
}

INTERPOSE int pthread_create(pthread_t *handle, const pthread_attr_t *attributes,
                             void *(*start)(void *), void *argument)
{
    struct uthread *thread;
    int result;

    if (!wants_process_scope(attributes) || !process_start())
        return AT_HOME(int, REAL(pthread_create)(handle, attributes, start, argument));
    if (process_config()->scope == CONFIG_SCOPE_PROCESS)
        adopt_main();
    thread = new_thread(start, argument);
    if (!thread)
        return EAGAIN;
    result = create(handle, attributes, thread);
    if (result)
        uthread_free(thread);
    return result;
}

INTERPOSE int pthread_join(pthread_t handle, void **value)
{
    if (uthread_aboard && !(uthread_attention(uthread_aboard) & ATTENTION_CANCEL) &&
        REAL(pthread_tryjoin_np)(handle, value) == 0)
        return 0;
    return AT_HOME(int, REAL(pthread_join)(handle, value));
}

INTERPOSE int pthread_timedjoin_np(pthread_t handle, void **value, const struct timespec *when)
{
    return AT_HOME(int, REAL(pthread_timedjoin_np)(handle, value, when));
}

INTERPOSE int pthread_clockjoin_np(pthread_t handle, void **value, clockid_t clock,
                                   const struct timespec *when)
{
    return AT_HOME(int, REAL(pthread_clockjoin_np)(handle, value, clock, when));
}

INTERPOSE void pthread_exit(void *value)
{
    if (uthread_self && !uthread_self->start)
        home_end(); /* the main thread has no outermost cleanup handler */
    else
        home_bind();
    REAL(pthread_exit)(value);
    __builtin_unreachable();
}

INTERPOSE int pthread_cancel(pthread_t handle)
{
    struct uthread *thread = uthread_of(handle);
    struct carrier *carrier;

    /* First glibc's own mark: a thread that wakes up from a wait must find it. Its signal stays
     * pending until the thread comes home, which is harmless. */
    int result = REAL(pthread_cancel)(handle);

    if (!thread || !uthread_attract(handle, ATTENTION_CANCEL))
        return result;
    /* Aboard it may wait in a cancellation point inside libc, as fgets() is one. */
    carrier = atomic_load(&thread->carrier);
    if (carrier && handle != pthread_self())
        preempt_kick(carrier);
    return result;
}

INTERPOSE int pthread_setcancelstate(int state, int *old)
{
    int result = REAL(pthread_setcancelstate)(state, old);

    if (result == 0 && uthread_self)
        uthread_self->cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
    return result;
}

INTERPOSE int pthread_setcanceltype(int type, int *old)
{
    int before, result;

    /* An asynchronous cancellation unwinds the kernel thread, so the context must be there. */
    if (type == PTHREAD_CANCEL_ASYNCHRONOUS)
        home_bind();
    result = REAL(pthread_setcanceltype)(type, &before);
    if (result && type == PTHREAD_CANCEL_ASYNCHRONOUS)
        home_unbind();
    if (result)
        return result;
    if (before == PTHREAD_CANCEL_ASYNCHRONOUS)
        home_unbind();
    if (old)
        *old = before;
    return 0;
}

INTERPOSE void pthread_testcancel(void)
{
    if (uthread_aboard)
        home_cancellation_point(uthread_aboard);
    else
        REAL(pthread_testcancel)();
}

INTERPOSE int sched_yield(void)
{
    struct uthread *self = uthread_aboard;

    if (!self)
        return REAL(sched_yield)();
    if (uthread_attention(self) & ATTENTION_SIGNAL)
        home_attend(self, false);
    carrier_yield(self);
    return 0;
}

/* The header makes calls of the old name calls of sched_yield(); old programs have it still. */
INTERPOSE int old_yield(void) __asm__("pthread_yield");
int old_yield(void)
{
    return sched_yield();
}

/* glibc names the calling kernel thread when a thread names itself. */
INTERPOSE int pthread_setname_np(pthread_t handle, const char *name)
{
    return AT_HOME(int, REAL(pthread_setname_np)(handle, name));
}

INTERPOSE int pthread_getname_np(pthread_t handle, char *name, size_t size)
{
    return AT_HOME(int, REAL(pthread_getname_np)(handle, name, size));
}

/* The kernel thread that pthread_create() made, not the carrier of the moment. */
INTERPOSE pid_t gettid(void)
{
    return uthread_self ? uthread_self->tid : (pid_t)sys_0(SYS_gettid);
}
