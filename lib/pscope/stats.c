#include "pscope/stats.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pscope/carrier.h"
#include "pscope/descriptors.h"
#include "pscope/process.h"
#include "pscope/sys.h"
#include "pscope/timers.h"

/* Why globals: the file is opened before the program may give up its rights and written at exit. */
static int stats_fd = -1;
static int stats_pid;

bool stats_open(const char *path, char *error, size_t size)
{
    long fd = sys_4(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

    if (fd < 0) {
        snprintf(error, size, "LIBPTHREAD_STATS: cannot write \"%.80s\": %s", path,
                 strerror((int)-fd));
        return false;
    }
    stats_fd = descriptor_out_of_the_way(fd);
    stats_pid = (int)sys_0(SYS_getpid);
    return true;
}

static void add(struct counters *sum, const struct counters *one)
{
    sum->switches += one->switches;
    sum->parks += one->parks;
    sum->wakeups += one->wakeups;
    sum->steals += one->steals;
    sum->poller_wakeups += one->poller_wakeups;
    sum->trips_home += one->trips_home;
    sum->preemptions += one->preemptions;
    sum->substitutes += one->substitutes;
    if (one->peak_runnable > sum->peak_runnable)
        sum->peak_runnable = one->peak_runnable;
}

static size_t print_sums(char *out, size_t size, const struct counters *sum)
{
    return (size_t)snprintf(
        out, size,
        "{\"virtual_cpus\":%u,\"switches\":%" PRIu64 ",\"parks\":%" PRIu64 ",\"wakeups\":%" PRIu64
        ",\"steals\":%" PRIu64 ",\"poller_wakeups\":%" PRIu64 ",\"trips_home\":%" PRIu64
        ",\"preemptions\":%" PRIu64 ",\"substitutes\":%" PRIu64 ",\"peak_runnable\":%" PRIu64
        ",\"cpus\":[",
        vcpus_count(), sum->switches, sum->parks, sum->wakeups, sum->steals, sum->poller_wakeups,
        sum->trips_home, sum->preemptions, sum->substitutes, sum->peak_runnable);
}

/* The time since the virtual CPU last became busy or idle is in neither sum yet. */
static void add_present(struct counters *counters, struct vcpu *vcpu)
{
    uint64_t present_ns = timers_now() - vcpu->last_clock_ns;

    if (atomic_load(&atomic_load(&vcpu->carrier)->state) == CARRIER_SCHEDULING)
        counters->idle_ns += present_ns;
    else
        counters->busy_ns += present_ns;
}

/*
 * A process without user threads writes only when nobody has: it may be the shell or the helper of
 * the program that is meant, with the same environment.
 */
static bool writes(void)
{
    struct stat status;

    if (stats_fd < 0 || stats_pid != (int)sys_0(SYS_getpid))
        return false;
    return process_active || (sys_2(SYS_fstat, stats_fd, &status) == 0 && status.st_size == 0);
}

void stats_write(void)
{
    static char text[1024 + 64 * CONFIG_VIRTUAL_CPUS_MAX];
    struct counters sum = {0};
    size_t length;
    unsigned i;

    if (!writes())
        return;
    for (i = 0; i < vcpus_count(); i++)
        add(&sum, &vcpus_get(i)->counters);
    length = print_sums(text, sizeof text, &sum);
    for (i = 0; i < vcpus_count(); i++) {
        struct counters one = vcpus_get(i)->counters;

        add_present(&one, vcpus_get(i));

        length += (size_t)snprintf(text + length, sizeof text - length,
                                   "%s{\"busy_ns\":%" PRIu64 ",\"idle_ns\":%" PRIu64 "}",
                                   i ? "," : "", one.busy_ns, one.idle_ns);
    }
    length += (size_t)snprintf(text + length, sizeof text - length, "]}\n");
    sys_2(SYS_ftruncate, stats_fd, 0);
    if (sys_4(SYS_pwrite64, stats_fd, text, length, 0) != (long)length) {
        static const char complaint[] =
            "libpscope: LIBPTHREAD_STATS: the file is not whole; is the "
            "disk full?\n";

        sys_3(SYS_write, STDERR_FILENO, complaint, sizeof complaint - 1);
    }
}

static void __attribute__((destructor)) write_at_exit(void)
{
    stats_write();
}
