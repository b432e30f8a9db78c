/*
 * What the kernel tells about a running process and about the machine around it, at one moment;
 * and what lies between two moments. Linux: /proc. A sample is a value that its holder owns.
 */
#ifndef BENCH_SYSTEM_PROC_SAMPLE_H
#define BENCH_SYSTEM_PROC_SAMPLE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attributes.h"
#include "core/diag.h"
#include "cpu/cpu_set.h"
#include "system/proc_stat.h"

struct proc_thread {
    pid_t tid;
    char name[PROC_NAME_SIZE];
    struct cpu_set allowed;
    int last_cpu;
    uint64_t start_ticks; /* tells a thread from a later one with its number */
    double user_s;
    double system_s;
    uint64_t voluntary_switches;
    uint64_t involuntary_switches;
};

struct proc_sample {
    pid_t pid;
    double user_s; /* of the whole process, threads that have ended included */
    double system_s;
    uint64_t voluntary_switches; /* summed over the threads that are there */
    uint64_t involuntary_switches;
    uint64_t rss_kib;
    bool has_jemalloc; /* its library is mapped: preloaded, or the program is linked with it */
    struct proc_thread *threads; /* ascending tids */
    size_t thread_count;
};

/*
 * Reads a process; threads that end meanwhile are left out. 0 and the caller owns `sample`;
 * ERR_NOT_FOUND when there is no such process (a zombie counts as one without threads).
 */
int proc_sample_read(pid_t pid, struct proc_sample *sample, struct diag *diag) MUST_CHECK;

void proc_sample_free(struct proc_sample *sample);

/*
 * Turns `end` into what happened since `begin`: times and switches become differences; the threads
 * stay those of the end, one that is younger than `begin` with all it has done. Pure.
 */
void proc_sample_since(struct proc_sample *end, const struct proc_sample *begin);

/*
 * {"pid","user_s","system_s","voluntary_switches","involuntary_switches","rss_kib",
 *  "jemalloc","threads":[{"tid","name","allowed","last_cpu","user_s","system_s"}]}: a new
 * reference, or NULL when memory is short.
 */
json_t *proc_sample_json(const struct proc_sample *sample) MUST_CHECK;

/* The machine at one moment. */
struct host_sample {
    uint64_t total_ticks; /* of all CPUs, since boot */
    uint64_t steal_ticks; /* taken by the hypervisor for others */
    uint64_t idle_ticks;  /* idle and waiting for a disk */
    double load1;         /* load average over the last minute */
    double freq_mhz;      /* mean over the CPUs that tell; 0 when none does */
};

/* 0, or ERR_SYSTEM or ERR_SYNTAX when /proc/stat or /proc/loadavg cannot be read. */
int host_sample_read(struct host_sample *sample, struct diag *diag) MUST_CHECK;

/* Pure parts of it: /proc/stat, /proc/loadavg, /proc/cpuinfo. 0 or ERR_SYNTAX. */
int host_stat_parse(const char *text, struct host_sample *sample) MUST_CHECK;
int host_loadavg_parse(const char *text, struct host_sample *sample) MUST_CHECK;
double host_cpuinfo_mean_mhz(const char *text);

/* Per cent of all CPU time between the two; 0 when no time went by. Pure. */
double host_steal_pct(const struct host_sample *begin, const struct host_sample *end);
double host_busy_pct(const struct host_sample *begin, const struct host_sample *end);

/* {"steal_pct","busy_pct","load1","freq_mhz" (null: not told)}: a new reference, or NULL. */
json_t *host_sample_json(const struct host_sample *begin, const struct host_sample *end) MUST_CHECK;

#endif
