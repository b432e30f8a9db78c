/* How much CPU time the calling kernel thread had, and how long it waited for a CPU. */
#ifndef LOAD_THREAD_TIME_H
#define LOAD_THREAD_TIME_H

#include <stdint.h>

struct thread_time {
    uint64_t cpu_ns;  /* on a CPU, in user mode and in the kernel */
    uint64_t wait_ns; /* runnable, but no CPU was free for it; 0 where the kernel does not tell */
};

struct thread_time thread_time_now(void);

#endif
