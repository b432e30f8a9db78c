#include "pscope/process.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "pscope/carrier.h"
#include "pscope/credentials.h"
#include "pscope/debug.h"
#include "pscope/monitor.h"
#include "pscope/parking.h"
#include "pscope/poller.h"
#include "pscope/preempt.h"
#include "pscope/real.h"
#include "pscope/signals.h"
#include "pscope/spinlock.h"
#include "pscope/stats.h"
#include "pscope/thread_pointer.h"
#include "pscope/timers.h"

bool process_active;
char process_thread_name[16];

/* Why globals: there is one configuration and one scheduler a process. */
static struct config config;
static bool configured;
static bool refused;
static struct spinlock start_lock;

static void fail(const char *message)
{
    char line[256];
    int length = snprintf(line, sizeof line, "libpscope: %s\n", message);

    sys_3(SYS_write, STDERR_FILENO, line, length);
    _exit(1);
}

const struct config *process_config(void)
{
    char error[200];

    if (configured)
        return &config;
    if (config_read(&config, getenv, error, sizeof error))
        fail(error);
    if (config.stats_file && !stats_open(config.stats_file, error, sizeof error))
        fail(error);
    configured = true;
    return &config;
}

static void __attribute__((constructor)) start_library(void)
{
    static const char *const scopes[] = {
        [CONFIG_SCOPE_ATTRIBUTE] = "as each thread's attributes say",
        [CONFIG_SCOPE_PROCESS] = "process scope",
        [CONFIG_SCOPE_SYSTEM] = "system scope",
    };

    real_ready();
    process_config();
    debug("threads: %s", scopes[config.scope]);
}

static unsigned virtual_cpus(void)
{
    cpu_set_t set;
    int count;

    if (config.virtual_cpus)
        return config.virtual_cpus;
    if (REAL(sched_getaffinity)(0, sizeof set, &set))
        return 1;
    count = CPU_COUNT(&set);
    return count < CONFIG_VIRTUAL_CPUS_MAX ? (unsigned)count : CONFIG_VIRTUAL_CPUS_MAX;
}

static const char *start(void)
{
    if (machine_shadow_stack_on())
        return "shadow stacks are on";
    real_find_libc();
    thread_pointer_start();
    sys_2(SYS_prctl, PR_GET_NAME, process_thread_name);
    if (!poller_start())
        return "no epoll set";
    if (!preempt_start())
        return "no real-time signal is free";
    if (!carriers_start(virtual_cpus()) || !signals_start() || !monitor_start(config.quantum_us))
        return "no kernel thread for a virtual CPU";
    return NULL;
}

INTERPOSE unsigned pscope_virtual_cpus(void)
{
    return process_active ? vcpus_count() : 0;
}

bool process_start(void)
{
    const char *why = NULL;

    if (process_active || refused)
        return process_active;
    spin_lock(&start_lock);
    if (!process_active && !refused) {
        process_config();
        why = start();
        refused = why != NULL;
        __atomic_store_n(&process_active, !refused, __ATOMIC_RELEASE);
    }
    spin_unlock(&start_lock);
    if (why)
        fprintf(stderr, "libpscope: threads are system scope: %s\n", why);
    else if (process_active)
        debug("virtual CPUs: %u, thread pointer by %s, quantum %u us", vcpus_count(),
              thread_pointer_by_instruction ? "instruction" : "system call", config.quantum_us);
    return process_active;
}

void process_forked(void)
{
    if (!process_active)
        return;
    process_active = false;
    atomic_store(&start_lock.held, 0);
    credentials_forget();
    uthread_forget_all();
    parking_forget();
    timers_forget();
    poller_forget();
    signals_forget();
    monitor_forget();
    carriers_forget();
}
