/*
 * The thread pointer (FS base): what makes __thread variables, errno and pthread_self() those of
 * one thread. Set by wrfsbase where the kernel allows it, else by a system call.
 */
#ifndef PSCOPE_THREAD_POINTER_H
#define PSCOPE_THREAD_POINTER_H

#include <asm/prctl.h>
#include <stdbool.h>
#include <stdint.h>

#include "pscope/sys.h"

/* Whether wrfsbase may be used: AT_HWCAP2 bit 1. Set once by thread_pointer_start(). */
extern bool thread_pointer_fsgsbase __attribute__((visibility("hidden")));

/* Finds out how to set the thread pointer; before the first thread_pointer_change(). */
void thread_pointer_start(void);

static inline void thread_pointer_set(uintptr_t value)
{
    if (__builtin_expect(thread_pointer_fsgsbase, 1))
        __asm__ volatile("wrfsbase %0" : : "r"(value) : "memory");
    else
        sys_2(SYS_arch_prctl, ARCH_SET_FS, value);
}

/*
 * The same on a kernel thread that has *current, and does nothing when that is right already: a
 * virtual CPU often runs the thread again that it ran last, and without wrfsbase this saves a
 * system call.
 */
static inline void thread_pointer_change(uintptr_t *current, uintptr_t value)
{
    if (*current != value)
        thread_pointer_set(value);
    *current = value;
}

/* The x86-64 ABI keeps the thread pointer's own value at %fs:0. */
static inline uintptr_t thread_pointer_get(void)
{
    uintptr_t value;

    __asm__ volatile("movq %%fs:0, %0" : "=r"(value));
    return value;
}

#endif
