#include "pscope/kernel_thread.h"

#include <sched.h>
#include <signal.h>

#include "pscope/preempt.h"
#include "pscope/real.h"
#include "pscope/sys.h"

#define GUARD_SIZE 4096

const uint64_t kernel_thread_faults = SIGNAL_BIT(SIGSEGV) | SIGNAL_BIT(SIGBUS) |
                                      SIGNAL_BIT(SIGFPE) | SIGNAL_BIT(SIGILL) |
                                      SIGNAL_BIT(SIGTRAP) | SIGNAL_BIT(SIGSYS);

uint64_t kernel_thread_carrier_mask(void)
{
    return SIGNALS_ALL & ~(kernel_thread_faults | preempt_signal());
}

bool kernel_thread_start(int (*function)(void *), void *argument, size_t stack_size,
                         bool preemptible)
{
    const int flags =
        CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
    char *stack = sys_pages(stack_size);
    const uint64_t open = kernel_thread_faults | (preemptible ? preempt_signal() : 0);
    uint64_t old;
    int tid;

    if (!stack)
        return false;
    sys_3(SYS_mprotect, stack, GUARD_SIZE, PROT_NONE);
    sys_signal_mask(SIG_SETMASK, SIGNALS_ALL & ~open, &old);
    tid = libc_functions.clone(function, stack + stack_size, flags, argument);
    sys_signal_mask(SIG_SETMASK, old, NULL);
    if (tid < 0)
        sys_pages_free(stack, stack_size);
    return tid >= 0;
}
