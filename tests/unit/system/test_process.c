/* Real processes: what they get, how they end, and that nobody is left behind. */
#include "../unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/attributes.h"
#include "core/clock.h"
#include "core/error.h"
#include "core/file.h"
#include "cpu/affinity.h"
#include "system/interrupt.h"
#include "system/process.h"

#define SECOND_US UINT64_C(1000000)

static char folder[] = "/tmp/dnscope-process-XXXXXX";
static char log_path[128];

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    snprintf(log_path, sizeof(log_path), "%s/log", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(log_path);
    return rmdir(folder);
}

/* A shell script as a launch, with $0 = the log's path. */
static struct launch script(const char *text)
{
    const char *argv[] = {"sh", "-c", text, log_path, NULL};
    struct launch_request request = {.program = "/bin/sh",
                                     .argv = argv,
                                     .inherited = (const char *const *)environ,
                                     .log_path = log_path,
                                     .working_directory = folder};
    struct launch launch;
    struct diag diag = {0};
    unlink(log_path);
    assert_int_equal(launch_make(&request, &launch, &diag), 0);
    return launch;
}

static void start(struct launch *launch, struct process *process)
{
    struct diag diag = {0};
    int status = process_start(launch, process, &diag);
    if (status != 0) {
        print_error("%s\n", diag.message);
    }
    assert_int_equal(status, 0);
    launch_free(launch);
}

/* The log's text, once it ends with a newline. */
static char *read_log(void)
{
    static char text[1024];
    for (unsigned tries = 0; tries < 500; tries++) {
        struct bytes log = {0};
        struct diag diag = {0};
        if (file_read_all(log_path, &log, &diag) == 0 && log.size > 0 &&
            log.data[log.size - 1] == '\n') {
            snprintf(text, sizeof(text), "%s", log.data);
            bytes_free(&log);
            return text;
        }
        bytes_free(&log);
        usleep(10000);
    }
    fail_msg("the log stays empty");
    return text;
}

/* Whether a process is gone, zombies counted as there, within five seconds. */
static bool is_gone(pid_t pid)
{
    for (unsigned tries = 0; tries < 500; tries++) {
        if (kill(pid, 0) != 0 && errno == ESRCH) {
            return true;
        }
        usleep(10000);
    }
    return false;
}

static bool has_children(void)
{
    return waitpid(-1, NULL, WNOHANG) >= 0 || errno != ECHILD;
}

static void exit_status_and_surroundings(void **state)
{
    (void)state;
    struct launch launch = script("pwd; read line || echo no input; "
                                  "sed -n 's/^Cpus_allowed_list:.//p' /proc/self/status; "
                                  "sed -n 's/^SigBlk:.//p' /proc/self/status; exit 7");
    struct cpu_set own;
    struct cpu_set first = {0};
    struct diag diag = {0};
    assert_int_equal(affinity_get(0, &own, &diag), 0);
    cpu_set_add(&first, cpu_set_next(&own, -1));
    launch.cpus = first;
    struct process process;
    struct process_exit result;
    start(&launch, &process);
    assert_int_equal(process_wait(&process, 5 * SECOND_US, &diag), 0);
    assert_int_equal(process_stop(&process, SECOND_US, &result, &diag), 0);
    assert_true(WIFEXITED(result.wait_status));
    assert_int_equal(WEXITSTATUS(result.wait_status), 7);
    char text[PROCESS_EXIT_TEXT_SIZE];
    process_exit_format(&result, text);
    assert_string_equal(text, "exited with status 7");
    char expected[512];
    char cpu[16];
    cpu_set_format(&first, cpu, sizeof(cpu));
    snprintf(expected, sizeof(expected), "%s\nno input\n%s\n0000000000000000\n", folder, cpu);
    assert_string_equal(read_log(), expected);
    assert_int_equal(process.pid, 0);
    assert_false(has_children());
}

static void start_failures(void **state)
{
    (void)state;
    struct cpu_set impossible = {0};
    cpu_set_add(&impossible, 0);
    cpu_set_add(&impossible, 8000);
    char missing_log[160];
    snprintf(missing_log, sizeof(missing_log), "%s/no/log", folder);
    const struct {
        const char *program, *working_directory, *log;
        struct cpu_set cpus;
        int status;
        const char *text;
    } cases[] = {
        {"/no/such/program", NULL, NULL, {{0}}, ERR_NOT_FOUND, "/no/such/program: cannot execute"},
        {"/etc/passwd", NULL, NULL, {{0}}, ERR_SYSTEM, "/etc/passwd: cannot execute"},
        {"/bin/true", "/no/such/folder", NULL, {{0}}, ERR_SYSTEM, "/no/such/folder: cannot change"},
        {"/bin/true", NULL, missing_log, {{0}}, ERR_SYSTEM, "/no/log: cannot open"},
        {"/bin/true", NULL, NULL, impossible, ERR_UNSUPPORTED, "dropped CPU 8000"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        static const char *const argv[] = {"program", NULL};
        struct launch_request request = {.program = cases[i].program,
                                         .argv = argv,
                                         .setup = {.cpus = cases[i].cpus},
                                         .working_directory = cases[i].working_directory,
                                         .log_path = cases[i].log};
        struct launch launch;
        struct process process;
        struct diag diag = {0};
        assert_int_equal(launch_make(&request, &launch, &diag), 0);
        assert_int_equal(process_start(&launch, &process, &diag), cases[i].status);
        assert_non_null(strstr(diag.message, cases[i].text));
        assert_int_equal(process.pid, 0);
        launch_free(&launch);
        assert_false(has_children());
    }
}

static void stops_politely(void **state)
{
    (void)state;
    struct launch launch =
        script("trap 'echo bye; exit 3' TERM; echo ready; while :; do sleep 0.05; done");
    struct process process;
    struct process_exit result;
    struct diag diag = {0};
    start(&launch, &process);
    assert_string_equal(read_log(), "ready\n");
    assert_int_equal(process_wait(&process, 1000, &diag), ERR_TIMEOUT);
    assert_int_equal(process_stop(&process, 5 * SECOND_US, &result, &diag), 0);
    assert_int_equal(WEXITSTATUS(result.wait_status), 3);
    assert_non_null(strstr(read_log(), "bye\n")); /* the shell also tells of its sleep's end */
}

static void stops_the_deaf(void **state)
{
    (void)state;
    struct launch launch = script("trap '' TERM INT; echo ready; while :; do sleep 0.05; done");
    struct process process;
    struct process_exit result;
    struct diag diag = {0};
    start(&launch, &process);
    read_log();
    pid_t pid = process.pid;
    uint64_t before_ns = clock_monotonic_ns();
    assert_int_equal(process_stop(&process, SECOND_US / 10, &result, &diag), 0);
    assert_true(clock_monotonic_ns() - before_ns < 5 * NS_PER_S);
    assert_true(WIFSIGNALED(result.wait_status));
    char text[PROCESS_EXIT_TEXT_SIZE];
    process_exit_format(&result, text);
    assert_string_equal(text, "was killed by signal 9 (Killed)");
    assert_true(is_gone(pid));
}

/* A child in another session whose parent has ended, as daemons make themselves. */
#define DAEMON "setsid sh -c 'trap \"\" TERM; echo $$; while :; do sleep 0.05; done' & "

static void takes_daemons_along(void **state)
{
    (void)state;
    static const char *const ends[] = {DAEMON "sleep 0.2; exit 0", DAEMON "wait"};
    for (size_t i = 0; i < ARRAY_LENGTH(ends); i++) {
        struct launch launch = script(ends[i]);
        struct process process;
        struct diag diag = {0};
        start(&launch, &process);
        pid_t daemon_pid = atoi(read_log());
        assert_true(daemon_pid > 0 && daemon_pid != process.pid);
        if (i == 0) {
            assert_int_equal(process_wait(&process, 5 * SECOND_US, &diag), 0);
        }
        assert_int_equal(kill(daemon_pid, 0), 0);
        assert_int_equal(process_stop(&process, SECOND_US / 10, NULL, &diag), 0);
        assert_true(is_gone(daemon_pid));
        assert_false(has_children());
    }
}

/* Whoever kills dnscope itself kills them all. */
static void nobody_outlives_us(void **state)
{
    (void)state;
    struct launch launch = script(DAEMON "wait");
    pid_t owner = fork();
    if (owner == 0) {
        struct process process;
        struct diag diag = {0};
        if (process_start(&launch, &process, &diag) == 0) {
            pause();
        }
        _exit(1);
    }
    pid_t daemon_pid = atoi(read_log());
    assert_true(daemon_pid > 0);
    assert_int_equal(kill(daemon_pid, 0), 0);
    kill(owner, SIGKILL);
    assert_int_equal(waitpid(owner, NULL, 0), owner);
    assert_true(is_gone(daemon_pid));
    launch_free(&launch);
}

/* Several at a time: one's end must not wait for another's, nor take it along. */
static void independent(void **state)
{
    (void)state;
    struct process processes[3];
    struct diag diag = {0};
    for (size_t i = 0; i < ARRAY_LENGTH(processes); i++) {
        struct launch launch = script("exec sleep 60");
        start(&launch, &processes[i]);
    }
    assert_int_equal(process_stop(&processes[1], SECOND_US, NULL, &diag), 0);
    assert_int_equal(process_wait(&processes[0], 0, &diag), ERR_TIMEOUT);
    assert_int_equal(process_wait(&processes[2], 0, &diag), ERR_TIMEOUT);
    assert_int_equal(process_stop(&processes[0], SECOND_US, NULL, &diag), 0);
    assert_int_equal(process_stop(&processes[2], SECOND_US, NULL, &diag), 0);
    assert_int_equal(process_stop(&processes[2], SECOND_US, NULL, &diag), 0);
    assert_false(has_children());
}

static void counts_cpu_time(void **state)
{
    (void)state;
    struct launch launch = script("i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done");
    struct process process;
    struct process_exit result;
    struct diag diag = {0};
    start(&launch, &process);
    assert_int_equal(process_wait(&process, 20 * SECOND_US, &diag), 0);
    assert_int_equal(process_stop(&process, SECOND_US, &result, &diag), 0);
    assert_true(result.user_s > 0 && result.user_s < 20);
    assert_true(result.max_rss_kib > 0);
}

/* Last, since an interrupt stays pending. */
static void interrupts(void **state)
{
    (void)state;
    struct launch launch = script("exec sleep 60");
    struct process process;
    struct diag diag = {0};
    assert_int_equal(interrupt_install(&diag), 0);
    interrupt_defer();
    assert_false(interrupt_pending());
    start(&launch, &process);
    assert_int_equal(process_wait(&process, 1000, &diag), ERR_TIMEOUT);
    raise(SIGINT);
    assert_true(interrupt_pending());
    assert_int_equal(process_wait(&process, 20 * SECOND_US, &diag), ERR_INTERRUPTED);
    assert_int_equal(process_stop(&process, SECOND_US, NULL, &diag), 0);
    assert_false(has_children());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exit_status_and_surroundings),
        cmocka_unit_test(start_failures),
        cmocka_unit_test(stops_politely),
        cmocka_unit_test(stops_the_deaf),
        cmocka_unit_test(takes_daemons_along),
        cmocka_unit_test(nobody_outlives_us),
        cmocka_unit_test(independent),
        cmocka_unit_test(counts_cpu_time),
        cmocka_unit_test(interrupts),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
