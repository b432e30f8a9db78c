/*
 * Machine contexts: callee-saved registers, floating-point control words and a stack. A saved
 * context is its stack pointer; everything else lies on that stack. The thread pointer (FS base)
 * is not part of it: see thread_pointer.h.
 */
#ifndef PSCOPE_CONTEXT_H
#define PSCOPE_CONTEXT_H

/* Saves the running context in *save and resumes `load`; returns when somebody resumes *save. */
void context_swap(void **save, void *load);

/*
 * Saves the running context in *save and calls function(argument) on the stack whose highest
 * address is `stack_top` (16-byte aligned). The function must not return.
 */
void context_call(void **save, void *stack_top, void (*function)(void *), void *argument);

/* Resumes `load`; the running context is lost. */
_Noreturn void context_resume(void *load);

#endif
