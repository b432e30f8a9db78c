/* x86-64; see machine.h. */
#ifndef PSCOPE_MACHINE_X86_64_H
#define PSCOPE_MACHINE_X86_64_H

#include <asm/prctl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <ucontext.h>

#define MACHINE_HWCAP2_FSGSBASE   2      /* Linux: arch/x86/include/uapi/asm/hwcap2.h */
#define MACHINE_ARCH_SHSTK_STATUS 0x5005 /* Linux 6.6: arch/x86/include/uapi/asm/prctl.h */

static inline long sys_call(long number, long a, long b, long c, long d, long e, long f)
{
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long result;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

static inline void machine_pause(void)
{
    __builtin_ia32_pause();
}

static inline uint64_t machine_ticks(void)
{
    return __builtin_ia32_rdtsc();
}

/* At 2 to 4 GHz. */
static inline uint64_t machine_duty_ticks(void)
{
    return 100000;
}

/* Every locked instruction is one already. */
static inline void machine_full_fence(void)
{
    __asm__ volatile("" : : : "memory");
}

/* The ABI keeps the thread pointer's own value at %fs:0. */
static inline uintptr_t machine_thread_pointer_get(void)
{
    uintptr_t value;

    __asm__ volatile("movq %%fs:0, %0" : "=r"(value));
    return value;
}

/* wrfsbase, which processors before 2012, kernels before 5.9 and some emulators lack. */
static inline bool machine_thread_pointer_instruction(void)
{
    return (getauxval(AT_HWCAP2) & MACHINE_HWCAP2_FSGSBASE) != 0;
}

static inline void machine_thread_pointer_set(uintptr_t value, bool instruction)
{
    if (__builtin_expect(instruction, 1))
        __asm__ volatile("wrfsbase %0" : : "r"(value) : "memory");
    else
        sys_call(SYS_arch_prctl, ARCH_SET_FS, (long)value, 0, 0, 0, 0);
}

static inline uintptr_t machine_program_counter(const ucontext_t *interrupted)
{
    return (uintptr_t)interrupted->uc_mcontext.gregs[REG_RIP];
}

static inline bool machine_shadow_stack_on(void)
{
    unsigned long status = 0;

    return sys_call(SYS_arch_prctl, MACHINE_ARCH_SHSTK_STATUS, (long)&status, 0, 0, 0, 0) == 0 &&
           (status & 1);
}

#endif
