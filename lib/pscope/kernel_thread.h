/*
 * Kernel threads that glibc does not know: carriers and the signal thread. They have no TCB of
 * their own, must not touch thread-local storage outside a user thread, and are no target of
 * glibc's set*id and cancellation signals.
 */
#ifndef PSCOPE_KERNEL_THREAD_H
#define PSCOPE_KERNEL_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Signals that the running instruction itself causes; blocking them would kill the process. */
extern const uint64_t kernel_thread_faults __attribute__((visibility("hidden")));

/* What a kernel thread that is `preemptible` blocks: every signal but these faults and that one. */
uint64_t kernel_thread_carrier_mask(void);

/*
 * Runs function(argument) on a stack of `stack_size` bytes, with all signals but faults blocked,
 * and but the preemption signal if it is `preemptible`.
 */
bool kernel_thread_start(int (*function)(void *), void *argument, size_t stack_size,
                         bool preemptible);

#endif
