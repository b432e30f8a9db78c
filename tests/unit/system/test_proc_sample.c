/* /proc's texts as kernels write them, and what the difference of two moments is. */
#include "../unit.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "core/attributes.h"
#include "core/error.h"
#include "cpu/affinity.h"
#include "system/proc_sample.h"

static void assert_set(const struct cpu_set *set, const char *expected)
{
    char text[CPU_SET_TEXT_SIZE];
    cpu_set_format(set, text, sizeof(text));
    assert_string_equal(text, expected);
}

/* Captured from Linux 6.1; fields 3, 4, 14, 15, 22 and 39 by the numbers of proc(5). */
#define REST                                                                                       \
    " S 4100 4242 4242 0 -1 4194304 1001 0 3 0 917 385 11 12 20 0 5 0 883311 268435456 2560 "      \
    "18446744073709551615 94000000000000 94000000500000 140700000000000 0 0 0 0 4096 81922 0 0 "   \
    "0 17 3 0 0 0 0 0 94000000600000 94000000700000 94000010000000 140700000001000 "               \
    "140700000002000 140700000003000 140700000004000 0\n"

static void stat_lines(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *name;
    } cases[] = {
        {"4242 (named)" REST, "named"},
        {"4242 (isc-net-0000)" REST, "isc-net-0000"},
        {"4242 (a) (b)" REST, "a) (b"},
        {"4242 (x) S 1 2 3)" REST, "x) S 1 2 3"},
        {"4242 ()" REST, ""},
        {"4242 (two\nlines)" REST, "two\nlines"},
        {"4242 (kworker/u8:2-events_unbound_and_a_very_long_name_that_kernel_threads_have)" REST,
         "kworker/u8:2-events_unbound_and_a_very_long_name_that_kernel_th"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct proc_stat stat;
        assert_int_equal(proc_stat_parse(cases[i].text, &stat), 0);
        assert_string_equal(stat.name, cases[i].name);
        assert_int_equal(stat.id, 4242);
        assert_int_equal(stat.parent, 4100);
        assert_int_equal(stat.state, 'S');
        assert_int_equal(stat.user_ticks, 917);
        assert_int_equal(stat.system_ticks, 385);
        assert_int_equal(stat.start_ticks, 883311);
        assert_int_equal(stat.last_cpu, 3);
    }
    static const char *const bad[] = {"",   "4242",           "4242 (x",   "4242 x)",
                                      ")(", "4242 (x) S 1 2", "x (y)" REST};
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
        struct proc_stat stat;
        assert_int_equal(proc_stat_parse(bad[i], &stat), ERR_SYNTAX);
    }
}

static void status_files(void **state)
{
    (void)state;
    static const char text[] = "Name:\tCpus_allowed_list:\t7\nUmask:\t0022\nState:\tS (sleeping)\n"
                               "VmHWM:\t   99999 kB\nVmRSS:\t   12345 kB\nThreads:\t5\n"
                               "Cpus_allowed:\t00000000,0000010f\nCpus_allowed_list:\t0-3,8\n"
                               "Mems_allowed_list:\t0\nvoluntary_ctxt_switches:\t150\n"
                               "nonvoluntary_ctxt_switches:\t545\n";
    struct proc_status status;
    assert_int_equal(proc_status_parse(text, &status), 0);
    assert_set(&status.allowed, "0-3,8");
    assert_int_equal(status.voluntary_switches, 150);
    assert_int_equal(status.involuntary_switches, 545);
    assert_int_equal(status.rss_kib, 12345);
    /* A kernel thread has no memory of its own. */
    assert_int_equal(proc_status_parse("Cpus_allowed_list:\t1\nvoluntary_ctxt_switches:\t1\n"
                                       "nonvoluntary_ctxt_switches:\t2\n",
                                       &status),
                     0);
    assert_int_equal(status.rss_kib, 0);
    assert_int_equal(proc_status_parse("Name:\tx\n", &status), ERR_SYNTAX);
    assert_int_equal(proc_status_parse("", &status), ERR_SYNTAX);
}

static void maps(void **state)
{
    (void)state;
    static const char text[] =
        "5500-5600 r--p 00000000 fe:00 17 /usr/sbin/libjemalloc.so/named\n"
        "7f00-7f10 r-xp 00000000 fe:00 12 /usr/lib/x86_64-linux-gnu/libc.so.6\n"
        "7f10-7f20 rw-p 00000000 00:00 0 \n"
        "7f20-7f30 r-xp 00000000 fe:00 13 /opt/mylibm.so.6\n";
    assert_true(proc_maps_have(text, "libc.so"));
    assert_false(proc_maps_have(text, "libjemalloc.so"));
    assert_false(proc_maps_have(text, "libm.so"));
    assert_false(proc_maps_have("", "libc.so"));
    assert_true(proc_maps_have("1-2 r /lib/libjemalloc.so.2 (deleted)\n", "libjemalloc.so"));
}

static void host_files(void **state)
{
    (void)state;
    struct host_sample begin = {0};
    struct host_sample end = {0};
    /* 1000 ticks go by: 500 idle, 100 waiting, 30 stolen. */
    assert_int_equal(host_stat_parse("cpu  100 0 100 1000 50 0 0 10 7 0\ncpu0 1 2 3\n", &begin), 0);
    assert_int_equal(host_stat_parse("cpu  300 20 250 1500 150 0 0 40 9 0\n", &end), 0);
    assert_int_equal(begin.total_ticks, 1260);
    assert_int_equal(end.total_ticks, 2260);
    assert_true(host_steal_pct(&begin, &end) > 2.999 && host_steal_pct(&begin, &end) < 3.001);
    assert_true(host_busy_pct(&begin, &end) > 39.999 && host_busy_pct(&begin, &end) < 40.001);
    assert_true(host_steal_pct(&begin, &begin) == 0);
    assert_int_equal(host_stat_parse("intr 5\n", &begin), ERR_SYNTAX);
    assert_int_equal(host_loadavg_parse("1.25 0.80 0.50 2/300 4242\n", &end), 0);
    assert_true(end.load1 > 1.249 && end.load1 < 1.251);
    assert_int_equal(host_loadavg_parse("\n", &end), ERR_SYNTAX);
    double mhz = host_cpuinfo_mean_mhz("processor\t: 0\ncpu MHz\t\t: 2000.500\nprocessor\t: 1\n"
                                       "cpu MHz\t\t: 3000.500\n");
    assert_true(mhz > 2500.49 && mhz < 2500.51);
    assert_true(host_cpuinfo_mean_mhz("processor\t: 0\nBogoMIPS\t: 50.00\n") == 0);
}

static void differences(void **state)
{
    (void)state;
    struct proc_thread before[] = {
        {.tid = 10, .start_ticks = 1, .user_s = 1, .system_s = 2, .voluntary_switches = 5},
        {.tid = 11, .start_ticks = 1, .user_s = 9},
    };
    struct proc_thread after[] = {
        {.tid = 10, .start_ticks = 1, .user_s = 1.5, .system_s = 2.25, .voluntary_switches = 15},
        {.tid = 11, .start_ticks = 77, .user_s = 4}, /* another thread by now */
    };
    struct proc_sample begin = {.user_s = 10,
                                .system_s = 4,
                                .voluntary_switches = 100,
                                .involuntary_switches = 50,
                                .threads = before,
                                .thread_count = 2};
    struct proc_sample end = {.user_s = 14,
                              .system_s = 5,
                              .voluntary_switches = 130,
                              .involuntary_switches = 40,
                              .threads = after,
                              .thread_count = 2};
    proc_sample_since(&end, &begin);
    assert_true(end.user_s == 4 && end.system_s == 1);
    assert_int_equal(end.voluntary_switches, 30);
    assert_int_equal(end.involuntary_switches, 0);
    assert_true(after[0].user_s == 0.5 && after[0].system_s == 0.25);
    assert_int_equal(after[0].voluntary_switches, 10);
    assert_true(after[1].user_s == 4);
}

static void *wait_for_end(void *mutex)
{
    prctl(PR_SET_NAME, "odd) \xff(name");
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
    return NULL;
}

static void own_process(void **state)
{
    (void)state;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_t thread;
    struct proc_sample sample;
    struct cpu_set own;
    struct diag diag = {0};
    assert_int_equal(affinity_get(0, &own, &diag), 0);
    pthread_mutex_lock(&mutex);
    assert_int_equal(pthread_create(&thread, NULL, wait_for_end, &mutex), 0);
    const struct proc_thread *other = NULL;
    for (unsigned tries = 0; tries < 1000 && other == NULL; tries++) {
        assert_int_equal(proc_sample_read(getpid(), &sample, &diag), 0);
        for (size_t i = 0; i < sample.thread_count; i++) {
            if (strcmp(sample.threads[i].name, "odd) \xff(name") == 0) {
                other = &sample.threads[i];
            }
        }
        if (other == NULL) {
            proc_sample_free(&sample);
            usleep(1000);
        }
    }
    assert_non_null(other);
    assert_true(cpu_set_equal(&other->allowed, &own));
    assert_true(other->last_cpu >= 0);
    assert_true(sample.rss_kib > 0);
    assert_int_equal(sample.threads[0].tid, getpid());
    json_t *json = proc_sample_json(&sample);
    json_t *threads = json_object_get(json, "threads");
    assert_int_equal(json_array_size(threads), sample.thread_count);
    json_t *shown = json_array_get(threads, (size_t)(other - sample.threads));
    assert_string_equal(json_string_value(json_object_get(shown, "name")), "odd) ?(name");
    json_decref(json);
    proc_sample_free(&sample);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}

static void no_process(void **state)
{
    (void)state;
    struct proc_sample sample;
    struct diag diag = {0};
    assert_int_equal(proc_sample_read(0x3ffffffe, &sample, &diag), ERR_NOT_FOUND);
    assert_null(sample.threads);
}

static void this_host(void **state)
{
    (void)state;
    struct host_sample sample;
    struct diag diag = {0};
    assert_int_equal(host_sample_read(&sample, &diag), 0);
    assert_true(sample.total_ticks > sample.idle_ticks);
    assert_true(sample.load1 >= 0);
    json_t *json = host_sample_json(&sample, &sample);
    assert_non_null(json);
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stat_lines), cmocka_unit_test(status_files), cmocka_unit_test(maps),
        cmocka_unit_test(host_files), cmocka_unit_test(differences),  cmocka_unit_test(own_process),
        cmocka_unit_test(no_process), cmocka_unit_test(this_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
