/*
 * The text of /proc/PID/stat, /proc/PID/task/TID/stat, .../status and /proc/PID/maps. Pure: text
 * in, struct out; the text is untrusted (a thread chooses its name). Source of the fields: proc(5).
 */
#ifndef BENCH_SYSTEM_PROC_STAT_H
#define BENCH_SYSTEM_PROC_STAT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attributes.h"
#include "cpu/cpu_set.h"

/* TASK_COMM_LEN with its NUL; kernel threads' names may be longer, and are cut. */
#define PROC_NAME_SIZE 64

struct proc_stat {
    pid_t id;
    pid_t parent;
    char name[PROC_NAME_SIZE];
    char state;
    uint64_t user_ticks;   /* of sysconf(_SC_CLK_TCK) */
    uint64_t system_ticks; /* the same */
    uint64_t start_ticks;  /* after boot */
    int last_cpu;
};

struct proc_status {
    struct cpu_set allowed;
    uint64_t voluntary_switches;
    uint64_t involuntary_switches;
    uint64_t rss_kib; /* 0 for a kernel thread */
};

/* 0 or ERR_SYNTAX. `text` ends with a NUL. */
int proc_stat_parse(const char *text, struct proc_stat *stat) MUST_CHECK;
int proc_status_parse(const char *text, struct proc_status *status) MUST_CHECK;

/* Whether a text of /proc/PID/maps has a file whose name begins with `library`: "libc.so". */
bool proc_maps_have(const char *text, const char *library);

#endif
