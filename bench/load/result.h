/*
 * What a run of the load tool found: counted by each thread for itself, merged when all have
 * ended, then only read by the writers (text.h, json.h). Plain data.
 */
#ifndef LOAD_RESULT_H
#define LOAD_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/attributes.h"
#include "core/clock.h"
#include "core/diag.h"
#include "stats/histogram.h"

#define LOAD_RCODES 16 /* of the header; the OPT record's upper bits are not looked at */

/*
 * Every query sent ends once: sent = completed + lost + interrupted. What the others count are
 * datagrams that ended no query, but for `refused`, which is the part of `lost` that an ICMP error
 * reported, and `truncated`, which is the part of `completed` with TC set.
 */
struct load_counts {
    uint64_t sent;
    uint64_t completed;
    uint64_t lost;
    uint64_t interrupted;
    uint64_t late;       /* right, but after the timeout, when the query was lost already */
    uint64_t duplicate;  /* right, but the query was completed already */
    uint64_t mismatched; /* a response with the ID of a query and another question */
    uint64_t malformed;  /* not readable as a response */
    uint64_t unexpected; /* with an ID that stands for no query */
    uint64_t refused;
    uint64_t truncated;
    uint64_t request_bytes;  /* of all that were sent */
    uint64_t response_bytes; /* of all that completed a query */
    uint64_t rcodes[LOAD_RCODES];
};

/* The queries sent in one part of the run, the warm-up or the measured time. */
struct load_phase {
    struct load_counts counts;
    struct histogram latency_ns;
    uint64_t last_event_ns; /* when the last query was sent or completed; 0: none */
};

enum load_phase_kind { LOAD_WARMUP, LOAD_MEASURED, LOAD_PHASES };

struct load_interval {
    double start_s, end_s; /* from the first query of the run, warm-up included */
    uint64_t sent, completed, lost;
    bool omitted; /* warm-up */
};

struct load_thread {
    pid_t tid;
    char name[16];
    char allowed[256]; /* CPUs, as "0-3,8" */
    int last_cpu;
    double cpu_share;  /* CPU time over time, while it was sending in the measured time */
    double wait_share; /* likewise, the time in which it was runnable and had no CPU */
};

/* The generator itself, over the measured time. */
struct load_client {
    double user_s, system_s;
    uint64_t voluntary_switches, involuntary_switches;
    uint64_t socket_drops; /* replies that its own socket buffers had no room for; whole run */
    struct load_thread *threads;
    size_t thread_count;
};

enum load_flag {
    LOAD_GENERATOR_BOUND = 1 << 0, /* a sending thread used its CPU fully */
    LOAD_LOSSY = 1 << 1,           /* queries were lost */
    LOAD_REFUSED = 1 << 2,         /* ICMP errors came */
    LOAD_WRONG_REPLIES = 1 << 3,   /* mismatched, malformed or unexpected ones */
    LOAD_NO_REPLIES = 1 << 4,      /* not one query completed */
    LOAD_SHORT = 1 << 5,           /* measured for less than a second */
    LOAD_CPU_CONTENDED = 1 << 6,   /* a sending thread had to wait for a CPU */
    LOAD_CLIENT_DROPS = 1 << 7,    /* replies were lost in the generator's own sockets */
};
#define LOAD_FLAGS 8

/* "generator-bound" and so on, by bit number. */
const char *load_flag_name(unsigned bit);

/* A thread whose share of its CPU is above this is a flag: it had no time left to wait. */
#define LOAD_GENERATOR_BOUND_SHARE 0.95
/* A thread that waited for a CPU for more than this share is a flag: others ran in its place. */
#define LOAD_CPU_CONTENDED_SHARE 0.1
/* A shorter time than this is too short for the kernel's account of CPU time. */
#define LOAD_SHARE_MIN_S 0.1

struct load_result {
    char started_at[CLOCK_UTC_SIZE];
    char server_address[64]; /* numeric */
    uint16_t server_port;
    uint32_t threads, clients, outstanding; /* as run */
    const char *scope;                      /* of the threads: "process" or "system" */
    uint32_t vcpus;                         /* virtual CPUs of process scope; 0: not told */
    double timeout_s, warmup_s;
    double duration_s; /* as asked; 0: no limit */
    double run_time_s; /* measured, without the wait for queries that were lost */
    struct load_phase phases[LOAD_PHASES];
    struct load_interval *intervals;
    size_t interval_count;
    struct load_client client;
    unsigned flags; /* enum load_flag */
    bool interrupted;
    bool gave_up;     /* a thread was refused for too long, and never answered */
    bool end_of_file; /* all runs through the file were done */
};

/* Zero but for `out`; frees what load_result_init() and a run allocated. */
void load_result_free(struct load_result *result) NONNULL_ALL;

/* Adds `from` to `into`. */
void load_phase_merge(struct load_phase *into, const struct load_phase *from) NONNULL_ALL;

/* Completed queries per second of the measured time. */
double load_result_qps(const struct load_result *result) NONNULL_ALL;

/*
 * How many queries were outstanding on the average until they were completed (Little's law: rate
 * times mean latency). Lost queries fill the rest of the window until their timeout.
 */
double load_result_outstanding_mean(const struct load_result *result) NONNULL_ALL;

/* The flags that follow from the counts and shares of a merged result. */
unsigned load_result_flags(const struct load_result *result) NONNULL_ALL;

/* "NOERROR", "rcode11": as dnsperf prints them. */
const char *load_rcode_name(unsigned rcode);

#endif
