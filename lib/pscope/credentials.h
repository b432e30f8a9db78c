/* Users, groups and capabilities of the kernel threads that glibc does not know. */
#ifndef PSCOPE_CREDENTIALS_H
#define PSCOPE_CREDENTIALS_H

#include <stdbool.h>

/*
 * Makes system call `number` on every carrier and on the signal thread, and returns when all have
 * done it. A carrier does it between two user threads.
 */
void credentials_follow(long number, long a, long b, long c);

/* The part of a kernel thread: called again and again; cheap when there is nothing to do. */
struct credentials_seen {
    unsigned change;
};
void credentials_apply(struct credentials_seen *seen);

/*
 * Whether a change waits for some kernel thread. A carrier must not go to sleep then: a kick
 * reaches one sleeping carrier, the kernel's choice, and it would be the same one for ever.
 */
bool credentials_changing(void);

/* Forgets a change that another thread of the parent was making: in the child of a fork. */
void credentials_forget(void);

#endif
