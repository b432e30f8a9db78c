#include "system/proc_sample.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"

void proc_sample_free(struct proc_sample *sample)
{
    free(sample->threads);
    *sample = (struct proc_sample){0};
}

/* The same thread at the beginning, or NULL. */
static const struct proc_thread *find_thread(const struct proc_sample *sample,
                                             const struct proc_thread *thread)
{
    for (size_t i = 0; i < sample->thread_count; i++) {
        if (sample->threads[i].tid == thread->tid &&
            sample->threads[i].start_ticks == thread->start_ticks) {
            return &sample->threads[i];
        }
    }
    return NULL;
}

/* Sums over threads may shrink when one ends. */
static uint64_t grown_by(uint64_t end, uint64_t begin)
{
    return end > begin ? end - begin : 0;
}

void proc_sample_since(struct proc_sample *end, const struct proc_sample *begin)
{
    end->user_s -= begin->user_s;
    end->system_s -= begin->system_s;
    end->voluntary_switches = grown_by(end->voluntary_switches, begin->voluntary_switches);
    end->involuntary_switches = grown_by(end->involuntary_switches, begin->involuntary_switches);
    for (size_t i = 0; i < end->thread_count; i++) {
        struct proc_thread *thread = &end->threads[i];
        const struct proc_thread *before = find_thread(begin, thread);
        if (before != NULL) {
            thread->user_s -= before->user_s;
            thread->system_s -= before->system_s;
            thread->voluntary_switches -= before->voluntary_switches;
            thread->involuntary_switches -= before->involuntary_switches;
        }
    }
}

/* JSON text is UTF-8, a thread's name any bytes. */
static json_t *name_json(const char *name)
{
    char clean[PROC_NAME_SIZE];
    size_t length = 0;
    for (; name[length] != '\0' && length + 1 < sizeof(clean); length++) {
        unsigned char byte = (unsigned char)name[length];
        clean[length] = (char)(byte >= 0x20 && byte < 0x7f ? byte : '?');
    }
    clean[length] = '\0';
    return json_string(clean);
}

static json_t *thread_json(const struct proc_thread *thread)
{
    char allowed[CPU_SET_TEXT_SIZE];
    cpu_set_format(&thread->allowed, allowed, sizeof(allowed));
    return json_pack("{s:i, s:o, s:s, s:i, s:f, s:f, s:I, s:I}", "tid", (int)thread->tid, "name",
                     name_json(thread->name), "allowed", allowed, "last_cpu", thread->last_cpu,
                     "user_s", thread->user_s, "system_s", thread->system_s, "voluntary_switches",
                     (json_int_t)thread->voluntary_switches, "involuntary_switches",
                     (json_int_t)thread->involuntary_switches);
}

json_t *proc_sample_json(const struct proc_sample *sample)
{
    json_t *threads = json_array();
    for (size_t i = 0; i < sample->thread_count; i++) {
        /* A NULL item is refused, and the record then lacks that thread alone. */
        json_array_append_new(threads, thread_json(&sample->threads[i]));
    }
    return json_pack("{s:i, s:f, s:f, s:I, s:I, s:I, s:b, s:o}", "pid", (int)sample->pid, "user_s",
                     sample->user_s, "system_s", sample->system_s, "voluntary_switches",
                     (json_int_t)sample->voluntary_switches, "involuntary_switches",
                     (json_int_t)sample->involuntary_switches, "rss_kib",
                     (json_int_t)sample->rss_kib, "jemalloc", (int)sample->has_jemalloc, "threads",
                     threads);
}

/* proc(5): user nice system idle iowait irq softirq steal guest guest_nice; guest is part of user.
 */
int host_stat_parse(const char *text, struct host_sample *sample)
{
    uint64_t ticks[8] = {0};
    int count = sscanf(text,
                       "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
                       " %" SCNu64 " %" SCNu64,
                       &ticks[0], &ticks[1], &ticks[2], &ticks[3], &ticks[4], &ticks[5], &ticks[6],
                       &ticks[7]);
    if (count < 4) {
        return ERR_SYNTAX;
    }
    sample->total_ticks = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(ticks); i++) {
        sample->total_ticks += ticks[i];
    }
    sample->idle_ticks = ticks[3] + ticks[4];
    sample->steal_ticks = ticks[7];
    return 0;
}

int host_loadavg_parse(const char *text, struct host_sample *sample)
{
    return sscanf(text, "%lf", &sample->load1) == 1 ? 0 : ERR_SYNTAX;
}

double host_cpuinfo_mean_mhz(const char *text)
{
    double sum = 0;
    unsigned count = 0;
    for (const char *line = strstr(text, "cpu MHz"); line != NULL;
         line = strstr(line + 1, "cpu MHz")) {
        double mhz = 0;
        if (sscanf(line, "cpu MHz : %lf", &mhz) == 1) {
            sum += mhz;
            count++;
        }
    }
    return count > 0 ? sum / count : 0;
}

static double share_pct(uint64_t part, const struct host_sample *begin,
                        const struct host_sample *end)
{
    uint64_t total = grown_by(end->total_ticks, begin->total_ticks);
    return total > 0 ? 100.0 * (double)part / (double)total : 0;
}

double host_steal_pct(const struct host_sample *begin, const struct host_sample *end)
{
    return share_pct(grown_by(end->steal_ticks, begin->steal_ticks), begin, end);
}

double host_busy_pct(const struct host_sample *begin, const struct host_sample *end)
{
    uint64_t total = grown_by(end->total_ticks, begin->total_ticks);
    uint64_t idle = grown_by(end->idle_ticks, begin->idle_ticks);
    return share_pct(grown_by(total, idle), begin, end);
}

json_t *host_sample_json(const struct host_sample *begin, const struct host_sample *end)
{
    return json_pack("{s:f, s:f, s:f, s:o}", "steal_pct", host_steal_pct(begin, end), "busy_pct",
                     host_busy_pct(begin, end), "load1", end->load1, "freq_mhz",
                     end->freq_mhz > 0 ? json_real(end->freq_mhz) : json_null());
}
