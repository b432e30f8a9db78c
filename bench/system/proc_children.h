/* The children of this process, from /proc. */
#ifndef BENCH_SYSTEM_PROC_CHILDREN_H
#define BENCH_SYSTEM_PROC_CHILDREN_H

/* Sends SIGKILL to every child of this process that is there now. Children of those come later. */
void proc_children_kill(void);

#endif
