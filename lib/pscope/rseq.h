/*
 * Restartable sequences. glibc registers an area in each thread's TCB where the kernel writes the
 * CPU number of the *kernel* thread; under process scope a user thread would read its parked
 * home's CPU there, and the child of a fork from elsewhere would be killed.
 */
#ifndef PSCOPE_RSEQ_H
#define PSCOPE_RSEQ_H

/* Unregisters the calling kernel thread's area; sched_getcpu() then asks the kernel. */
void rseq_disable(void);

#endif
