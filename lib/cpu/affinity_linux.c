#include "cpu/affinity.h"

#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/error.h"

/* The kernel's mask is an array of longs, which is our array of 64-bit words but for the order of
 * the halves on a big-endian machine with 32-bit longs. */
_Static_assert(sizeof(unsigned long) == sizeof(uint64_t), "cpu_set words are the kernel's longs");

/* The raw calls: glibc's cpu_set_t ends at 1024 CPUs. */
int affinity_get(pid_t tid, struct cpu_set *cpus, struct diag *diag)
{
    *cpus = (struct cpu_set){0};
    if (syscall(SYS_sched_getaffinity, tid, sizeof(cpus->words), cpus->words) < 0) {
        return diag_fail_errno(diag, NULL, "cannot read the CPU affinity of thread %d", (int)tid);
    }
    return 0;
}

int affinity_set(pid_t tid, const struct cpu_set *cpus, struct diag *diag)
{
    char wanted_text[128];
    cpu_set_format(cpus, wanted_text, sizeof(wanted_text));
    if (syscall(SYS_sched_setaffinity, tid, sizeof(cpus->words), cpus->words) < 0) {
        return diag_fail_errno(diag, NULL, "cannot set the CPU affinity to %s", wanted_text);
    }
    struct cpu_set got;
    int status = affinity_get(tid, &got, diag);
    if (status != 0 || cpu_set_equal(&got, cpus)) {
        return status;
    }
    struct cpu_set dropped = *cpus;
    cpu_set_subtract(&dropped, &got);
    char dropped_text[128];
    cpu_set_format(&dropped, dropped_text, sizeof(dropped_text));
    return diag_fail(diag, ERR_UNSUPPORTED, NULL, 0,
                     "the kernel dropped CPU %s of the affinity %s: not there, offline, or not "
                     "allowed to this process",
                     dropped_text, wanted_text);
}
