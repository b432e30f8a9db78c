/* Users, groups and capabilities of the kernel threads that glibc does not know. */
#ifndef PSCOPE_CREDENTIALS_H
#define PSCOPE_CREDENTIALS_H

#include <stdatomic.h>

/*
 * Makes system call `number` on every carrier, on the monitor and on the signal thread, and
 * returns when all have done it.
 */
void credentials_follow(long number, long a, long b, long c);

/* The part of a kernel thread: called again and again; cheap when there is nothing to do. */
struct credentials_seen {
    atomic_uint change;
};
void credentials_apply(struct credentials_seen *seen);

/* For a new kernel thread, which has its creator's credentials. */
void credentials_begin(struct credentials_seen *seen);

/* Forgets a change that another thread of the parent was making: in the child of a fork. */
void credentials_forget(void);

#endif
