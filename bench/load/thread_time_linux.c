#include "load/thread_time.h"

#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "core/clock.h"

/* The second number of /proc/PID/schedstat (Documentation/scheduler/sched-stats.rst). */
static uint64_t wait_ns(void)
{
    char text[96];
    unsigned long long on_cpu_ns, waiting_ns;
    int fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return 0;
    }
    ssize_t size = read(fd, text, sizeof(text) - 1);
    close(fd);
    text[size > 0 ? size : 0] = '\0';
    return sscanf(text, "%llu %llu", &on_cpu_ns, &waiting_ns) == 2 ? waiting_ns : 0;
}

struct thread_time thread_time_now(void)
{
    struct timespec used;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (struct thread_time){
        .cpu_ns = (uint64_t)used.tv_sec * NS_PER_S + (uint64_t)used.tv_nsec,
        .wait_ns = wait_ns(),
    };
}
