/* Users, groups and capabilities of the kernel threads that glibc does not know. */
#ifndef PSCOPE_CREDENTIALS_H
#define PSCOPE_CREDENTIALS_H

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

#endif
