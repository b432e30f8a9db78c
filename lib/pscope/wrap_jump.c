/*
 * Jumps that restore the signal mask (POSIX sigsetjmp, siglongjmp). libc saves and restores the
 * mask of the kernel thread; aboard that is the carrier's. So the user thread's own is noted in the
 * part of the buffer's mask that lies behind the 64 signals there are, and put into force before
 * the jump. Jumping out of a handler, the thread leaves its home: nothing else would bring it
 * aboard again.
 */
#include "pscope/home.h"
#include "pscope/kernel_thread.h"
#include "pscope/process.h"
#include "pscope/real.h"
#include "pscope/signals.h"
#include "pscope/sys.h"

/* Words of the saved mask: the kernel's comes first, glibc's shadow stack pointer third. */
#define WORD_KERNEL 0
#define WORD_COOKIE 14
#define WORD_MASK   15

typedef int (*sigsetjmp_function)(struct __jmp_buf_tag *environment, int save);

/* Called by __sigsetjmp; the result is what it goes on with. */
sigsetjmp_function jump_prepare(struct __jmp_buf_tag *environment, int save)
    __attribute__((visibility("hidden")));

/* Tells a mask of ours from what an earlier user of the memory left there. */
static unsigned long cookie_of(const struct __jmp_buf_tag *environment)
{
    return ~(uintptr_t)environment;
}

/* Without `save` the buffer may be one of glibc's own short ones, that have no mask. */
sigsetjmp_function jump_prepare(struct __jmp_buf_tag *environment, int save)
{
    unsigned long *words = environment->__saved_mask.__val;

    if (save) {
        words[WORD_COOKIE] = uthread_self ? cookie_of(environment) : 0;
        words[WORD_MASK] = uthread_self ? signals_own_mask() : 0;
    }
    return REAL(__sigsetjmp);
}

static void restore_mask(struct __jmp_buf_tag *environment)
{
    unsigned long *words = environment->__saved_mask.__val;
    sigset_t mask = {{0}};

    if (!uthread_self || !environment->__mask_was_saved ||
        words[WORD_COOKIE] != cookie_of(environment))
        return;
    if (!uthread_aboard)
        home_leave();
    mask.__val[0] = words[WORD_MASK];
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    words[WORD_KERNEL] = uthread_aboard ? kernel_thread_carrier_mask() : words[WORD_MASK];
}

#define JUMP(name)                                                                                 \
    INTERPOSE void name(struct __jmp_buf_tag environment[1], int value)                            \
    {                                                                                              \
        restore_mask(environment);                                                                 \
        REAL(name)(environment, value);                                                            \
        __builtin_unreachable();                                                                   \
    }

JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)
