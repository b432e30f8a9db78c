/* arm64; see machine.h. */
#ifndef PSCOPE_MACHINE_AARCH64_H
#define PSCOPE_MACHINE_AARCH64_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <ucontext.h>

#define MACHINE_GET_SHADOW_STACK_STATUS 74 /* Linux 6.13: PR_GET_SHADOW_STACK_STATUS */

static inline long sys_call(long number, long a, long b, long c, long d, long e, long f)
{
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;

    __asm__ volatile("svc #0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
}

static inline void machine_pause(void)
{
    __asm__ volatile("isb" : : : "memory");
}

static inline uint64_t machine_ticks(void)
{
    uint64_t ticks;

    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
}

/* The counter runs at 20 to 1000 MHz. */
static inline uint64_t machine_duty_ticks(void)
{
    uint64_t ticks_per_s;

    __asm__("mrs %0, cntfrq_el0" : "=r"(ticks_per_s));
    return ticks_per_s >> 15;
}

/* glibc releases locks with a store-release, which a later load may overtake. */
static inline void machine_full_fence(void)
{
    atomic_thread_fence(memory_order_seq_cst);
}

static inline uintptr_t machine_thread_pointer_get(void)
{
    uintptr_t value;

    __asm__ volatile("mrs %0, tpidr_el0" : "=r"(value));
    return value;
}

/* User mode may always write TPIDR_EL0, and no system call does it. */
static inline bool machine_thread_pointer_instruction(void)
{
    return true;
}

static inline void machine_thread_pointer_set(uintptr_t value, bool instruction)
{
    (void)instruction;
    __asm__ volatile("msr tpidr_el0, %0" : : "r"(value) : "memory");
}

static inline uintptr_t machine_program_counter(const ucontext_t *interrupted)
{
    return (uintptr_t)interrupted->uc_mcontext.pc;
}

static inline bool machine_shadow_stack_on(void)
{
    unsigned long status = 0;

    return sys_call(SYS_prctl, MACHINE_GET_SHADOW_STACK_STATUS, (long)&status, 0, 0, 0, 0) == 0 &&
           (status & 1);
}

#endif
