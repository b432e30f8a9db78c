/*
 * What differs between processors: raw system calls, the thread pointer, the interrupted program
 * counter, ordering. One header each; all define
 *
 * sys_call                      see sys.h
 * machine_pause                 a hint in spin loops
 * machine_ticks                 a clock that costs a few ns
 * machine_duty_ticks            25 to 50 us on that clock: how often a busy carrier looks at
 *                               timers and descriptors
 * machine_full_fence            has an earlier atomic read-modify-write, glibc's or ours, take
 *                               effect before later loads
 * machine_thread_pointer_get    where this thread's TCB is
 * machine_thread_pointer_instruction
 *                               whether an instruction may change that
 * machine_thread_pointer_set    by that instruction, or by a system call
 * machine_program_counter       of an interrupted ucontext_t
 * machine_shadow_stack_on       whether the kernel checks return addresses, which a switch of
 *                               stacks by hand would not survive
 *
 * The context switch is in context_*.S. Where neither is written, see passthrough.c.
 */
#ifndef PSCOPE_MACHINE_H
#define PSCOPE_MACHINE_H

#if defined __x86_64__ && defined __LP64__
#include "pscope/machine_x86_64.h"
#elif defined __aarch64__ && defined __LP64__
#include "pscope/machine_aarch64.h"
#else
#error "libpscope is only passthrough.c on this processor"
#endif

#endif
