/*
 * The thread pointer (FS base, TPIDR_EL0): what makes __thread variables, errno and pthread_self()
 * those of one thread. Set by an instruction where the kernel allows it, else by a system call.
 */
#ifndef PSCOPE_THREAD_POINTER_H
#define PSCOPE_THREAD_POINTER_H

#include <stdbool.h>
#include <stdint.h>

#include "pscope/machine.h"

/* Whether the instruction may be used. Set once by thread_pointer_start(). */
extern bool thread_pointer_by_instruction __attribute__((visibility("hidden")));

/* Finds out how to set the thread pointer; before the first thread_pointer_change(). */
void thread_pointer_start(void);

static inline void thread_pointer_set(uintptr_t value)
{
    machine_thread_pointer_set(value, thread_pointer_by_instruction);
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

static inline uintptr_t thread_pointer_get(void)
{
    return machine_thread_pointer_get();
}

#endif
