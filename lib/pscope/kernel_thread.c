#include "pscope/kernel_thread.h"

#include <sched.h>
#include <signal.h>

#include "pscope/preempt.h"
#include "pscope/real.h"
#include "pscope/sys.h"

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
    const size_t guard_size = sys_page_size(), size = guard_size + sys_whole_pages(stack_size);
    char *stack = sys_pages(size);
    const uint64_t open = kernel_thread_faults | (preemptible ? preempt_signal() : 0);
    uint64_t old;
    int tid;

    if (!stack)
        return false;
    sys_3(SYS_mprotect, stack, guard_size, PROT_NONE);
    sys_signal_mask(SIG_SETMASK, SIGNALS_ALL & ~open, &old);
    tid = libc_functions.clone(function, stack + size, flags, argument);
    sys_signal_mask(SIG_SETMASK, old, NULL);
    if (tid < 0)
        sys_pages_free(stack, size);
    return tid >= 0;
}
