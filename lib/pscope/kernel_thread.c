#include "pscope/kernel_thread.h"

#include <sched.h>
#include <signal.h>
#include <sys/mman.h>

#include "pscope/preempt.h"
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
    char *stack =
        mmap(NULL, stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const uint64_t open = kernel_thread_faults | (preemptible ? preempt_signal() : 0);
    uint64_t old;
    int tid;

    if (stack == MAP_FAILED)
        return false;
    mprotect(stack, GUARD_SIZE, PROT_NONE);
    sys_signal_mask(SIG_SETMASK, SIGNALS_ALL & ~open, &old);
    tid = clone(function, stack + stack_size, flags, argument);
    sys_signal_mask(SIG_SETMASK, old, NULL);
    if (tid < 0)
        munmap(stack, stack_size);
    return tid >= 0;
}
