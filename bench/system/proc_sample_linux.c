#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"
#include "core/number.h"
#include "system/proc_sample.h"

/* Longer than the kernel's stat line and its status file with a list of many CPUs. */
#define PROC_TEXT_SIZE 32768

/* Reads a small file below `folder_fd`. False when it is gone. */
static bool read_text(int folder_fd, const char *name, char text[PROC_TEXT_SIZE])
{
    int fd = openat(folder_fd, name, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    size_t size = 0;
    ssize_t count = 0;
    do {
        count = read(fd, text + size, PROC_TEXT_SIZE - 1 - size);
        size += count > 0 ? (size_t)count : 0;
    } while (count > 0);
    close(fd);
    text[size] = '\0';
    return count == 0;
}

static double seconds_of(uint64_t ticks)
{
    return (double)ticks / (double)sysconf(_SC_CLK_TCK);
}

/* Reads stat and status below `folder_fd`; false when the thread or process is gone. */
static bool read_task(int folder_fd, struct proc_stat *stat, struct proc_status *status)
{
    char text[PROC_TEXT_SIZE];
    return read_text(folder_fd, "stat", text) && proc_stat_parse(text, stat) == 0 &&
           read_text(folder_fd, "status", text) && proc_status_parse(text, status) == 0;
}

static bool read_thread(int tasks_fd, const char *tid, struct proc_thread *thread,
                        struct proc_status *status)
{
    struct proc_stat stat;
    int fd = openat(tasks_fd, tid, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool found = fd >= 0 && read_task(fd, &stat, status);
    if (fd >= 0) {
        close(fd);
    }
    if (found) {
        *thread = (struct proc_thread){.tid = stat.id,
                                       .allowed = status->allowed,
                                       .last_cpu = stat.last_cpu,
                                       .start_ticks = stat.start_ticks,
                                       .user_s = seconds_of(stat.user_ticks),
                                       .system_s = seconds_of(stat.system_ticks),
                                       .voluntary_switches = status->voluntary_switches,
                                       .involuntary_switches = status->involuntary_switches};
        snprintf(thread->name, sizeof(thread->name), "%s", stat.name);
    }
    return found;
}

static int add_thread(struct proc_sample *sample, const struct proc_thread *thread)
{
    struct proc_thread *grown =
        reallocarray(sample->threads, sample->thread_count + 1, sizeof(*sample->threads));
    if (grown == NULL) {
        return ERR_MEMORY;
    }
    sample->threads = grown;
    sample->threads[sample->thread_count++] = *thread;
    return 0;
}

static int compare_tid(const void *a, const void *b)
{
    const struct proc_thread *left = a;
    const struct proc_thread *right = b;
    return (left->tid > right->tid) - (left->tid < right->tid);
}

static int read_threads(DIR *tasks, struct proc_sample *sample)
{
    int status = 0;
    for (struct dirent *entry = readdir(tasks); entry != NULL && status == 0;
         entry = readdir(tasks)) {
        struct proc_thread thread;
        struct proc_status switches;
        uint64_t tid = 0;
        if (number_parse_u64(entry->d_name, 1, INT32_MAX, &tid) != 0 ||
            !read_thread(dirfd(tasks), entry->d_name, &thread, &switches)) {
            continue;
        }
        sample->voluntary_switches += switches.voluntary_switches;
        sample->involuntary_switches += switches.involuntary_switches;
        status = add_thread(sample, &thread);
    }
    if (sample->thread_count > 1) {
        qsort(sample->threads, sample->thread_count, sizeof(*sample->threads), compare_tid);
    }
    return status;
}

static int read_process(int folder_fd, struct proc_sample *sample)
{
    struct proc_stat stat;
    struct proc_status status;
    if (!read_task(folder_fd, &stat, &status)) {
        return ERR_NOT_FOUND;
    }
    sample->user_s = seconds_of(stat.user_ticks);
    sample->system_s = seconds_of(stat.system_ticks);
    sample->rss_kib = status.rss_kib;
    int tasks_fd = openat(folder_fd, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *tasks = tasks_fd >= 0 ? fdopendir(tasks_fd) : NULL;
    if (tasks == NULL) {
        if (tasks_fd >= 0) {
            close(tasks_fd);
        }
        return ERR_NOT_FOUND;
    }
    int result = read_threads(tasks, sample);
    closedir(tasks);
    return result;
}

/* The maps of another user's process cannot be read, which tells nothing. */
static bool maps_jemalloc(pid_t pid)
{
    char path[32];
    struct bytes maps;
    struct diag ignored = {0};
    snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
    if (file_read_all(path, &maps, &ignored) != 0) {
        return false;
    }
    bool found = maps.data != NULL && proc_maps_have(maps.data, "libjemalloc.so");
    bytes_free(&maps);
    return found;
}

int proc_sample_read(pid_t pid, struct proc_sample *sample, struct diag *diag)
{
    char path[32];
    *sample = (struct proc_sample){.pid = pid, .has_jemalloc = maps_jemalloc(pid)};
    snprintf(path, sizeof(path), "/proc/%d", (int)pid);
    int folder_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int status = folder_fd >= 0 ? read_process(folder_fd, sample) : ERR_NOT_FOUND;
    if (folder_fd >= 0) {
        close(folder_fd);
    }
    if (status == ERR_NOT_FOUND) {
        diag_fail(diag, status, NULL, 0, "there is no process %d", (int)pid);
    } else if (status != 0) {
        diag_fail(diag, status, NULL, 0, "no memory for the threads of process %d", (int)pid);
    }
    if (status != 0) {
        proc_sample_free(sample);
    }
    return status;
}

typedef int parse_fn(const char *text, struct host_sample *sample);

static int read_host_file(const char *path, parse_fn *parse, struct host_sample *sample,
                          struct diag *diag)
{
    struct bytes text;
    int status = file_read_all(path, &text, diag);
    if (status != 0) {
        return status;
    }
    status = parse(text.data, sample);
    bytes_free(&text);
    return status == 0 ? 0 : diag_fail(diag, status, path, 0, "not in the form that proc(5) tells");
}

/* For frequencies: a machine that has none, or no such file, is no error. */
static int parse_cpuinfo(const char *text, struct host_sample *sample)
{
    sample->freq_mhz = host_cpuinfo_mean_mhz(text);
    return 0;
}

int host_sample_read(struct host_sample *sample, struct diag *diag)
{
    struct diag ignored = {0};
    *sample = (struct host_sample){0};
    int status = read_host_file("/proc/stat", host_stat_parse, sample, diag);
    if (status == 0) {
        status = read_host_file("/proc/loadavg", host_loadavg_parse, sample, diag);
    }
    if (read_host_file("/proc/cpuinfo", parse_cpuinfo, sample, &ignored) != 0) {
        sample->freq_mhz = 0;
    }
    return status;
}
