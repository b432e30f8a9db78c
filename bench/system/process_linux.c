#include "system/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/error.h"
#include "cpu/affinity.h"
#include "system/interrupt.h"
#include "system/proc_children.h"

/* What SIGKILL needs at most, unless the kernel itself hangs. */
#define KILL_LIMIT_US UINT64_C(10000000)

/* Reads all of `size` bytes. False at end of file or on an error. */
static bool read_whole(int fd, void *data, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t count = read(fd, (char *)data + done, size - done);
        if (count == 0 || (count < 0 && errno != EINTR)) {
            return false;
        }
        done += count > 0 ? (size_t)count : 0;
    }
    return true;
}

/* A few bytes into an empty pipe or socket: one write takes all, or the reader is gone. */
static void write_whole(int fd, const void *data, size_t size)
{
    ssize_t ignored = write(fd, data, size);
    (void)ignored;
}

/* --- the program's side, between fork and exec --- */

static int redirect(const char *path, int flags, int first, int last, struct diag *diag)
{
    int fd = open(path, flags | O_CLOEXEC, 0644);
    if (fd < 0) {
        return diag_fail_errno(diag, path, "cannot open");
    }
    for (int target = first; target <= last; target++) {
        if (dup2(fd, target) < 0) {
            return diag_fail_errno(diag, path, "cannot redirect");
        }
    }
    return 0;
}

/* Signals as a program expects them at its start, whatever dnscope and the keeper did. */
static void reset_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGQUIT, SIGPIPE, SIGCHLD};
    for (size_t i = 0; i < ARRAY_LENGTH(numbers); i++) {
        signal(numbers[i], SIG_DFL);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static int become(const struct launch *launch, struct diag *diag)
{
    int status = redirect("/dev/null", O_RDONLY, STDIN_FILENO, STDIN_FILENO, diag);
    if (status == 0 && launch->log_path != NULL) {
        status = redirect(launch->log_path, O_WRONLY | O_CREAT | O_APPEND, STDOUT_FILENO,
                          STDERR_FILENO, diag);
    }
    if (status == 0 && launch->working_directory != NULL && chdir(launch->working_directory) != 0) {
        status = diag_fail_errno(diag, launch->working_directory, "cannot change to this folder");
    }
    if (status == 0 && !cpu_set_is_empty(&launch->cpus)) {
        status = affinity_set(0, &launch->cpus, diag);
    }
    if (status != 0) {
        return status;
    }
    static char *const nothing[] = {NULL};
    execve(launch->program, launch->argv,
           launch->environment != NULL ? launch->environment : nothing);
    int missing = errno == ENOENT;
    diag_fail_errno(diag, launch->program, "cannot execute");
    diag->code = missing ? ERR_NOT_FOUND : ERR_SYSTEM;
    return diag->code;
}

_Noreturn static void run_program(const struct launch *launch, pid_t keeper, int failure_fd)
{
    struct diag diag = {0};
    setpgid(0, 0);
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != keeper) {
        _exit(127);
    }
    reset_signals();
    become(launch, &diag);
    write_whole(failure_fd, &diag, sizeof(diag));
    _exit(127);
}

/* --- the keeper's side --- */

/* Only SIGKILL ends a keeper before its time, and then the kernel kills the program. */
static void prepare_keeper(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    signal(SIGCHLD, SIG_DFL);
    setpgid(0, 0);
    prctl(PR_SET_NAME, "dnscope-keeper");
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* Other programs' keepers must not hold this one's order to end open, nor files of dnscope's. */
static void close_others(int keep_low, int keep_high)
{
    if (keep_low > keep_high) {
        int other = keep_low;
        keep_low = keep_high;
        keep_high = other;
    }
    if (keep_low > STDERR_FILENO + 1) {
        close_range(STDERR_FILENO + 1, (unsigned)keep_low - 1, 0);
    }
    if (keep_high > keep_low + 1) {
        close_range((unsigned)keep_low + 1, (unsigned)keep_high - 1, 0);
    }
    close_range((unsigned)keep_high + 1, ~0U, 0);
}

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

/* Kills and reaps whoever is below us. A killed child's children become ours, so it ends when
 * there are none. */
static void end_descendants(pid_t program, struct process_exit *result)
{
    for (;;) {
        proc_children_kill();
        int wait_status = 0;
        struct rusage usage;
        pid_t ended = wait4(-1, &wait_status, 0, &usage);
        if (ended < 0 && errno == ECHILD) {
            return;
        }
        if (ended == program) {
            *result = (struct process_exit){.wait_status = wait_status,
                                            .user_s = seconds(usage.ru_utime),
                                            .system_s = seconds(usage.ru_stime),
                                            .max_rss_kib = usage.ru_maxrss};
        }
    }
}

_Noreturn static void keep(const struct launch *launch, int link_fd, int failure_fd)
{
    prepare_keeper();
    close_others(link_fd, failure_fd);
    pid_t keeper = getpid();
    pid_t program = fork();
    if (program == 0) {
        run_program(launch, keeper, failure_fd);
    }
    if (program < 0) {
        struct diag diag = {0};
        diag_fail_errno(&diag, NULL, "cannot fork");
        write_whole(failure_fd, &diag, sizeof(diag));
    }
    close(failure_fd);
    write_whole(link_fd, &program, sizeof(program));
    char order;
    while (read(link_fd, &order, 1) < 0 && errno == EINTR) {
    }
    struct process_exit result = {0};
    end_descendants(program, &result);
    write_whole(link_fd, &result, sizeof(result));
    _exit(0);
}

/* --- dnscope's side --- */

static void close_fd(int *fd)
{
    if (*fd >= 0) {
        close(*fd);
    }
    *fd = -1;
}

/* Tells the keeper to end everything and waits for it. False when it did not answer. */
static bool dismiss_keeper(struct process *process, struct process_exit *result)
{
    shutdown(process->keeper_fd, SHUT_WR);
    bool answered = read_whole(process->keeper_fd, result, sizeof(*result));
    close_fd(&process->keeper_fd);
    while (waitpid(process->keeper, NULL, 0) < 0 && errno == EINTR) {
    }
    if (process->pid_fd >= 0) {
        close(process->pid_fd);
    }
    *process = (struct process){0};
    return answered;
}

/* Waits for the keeper's first word and for exec, which closes the failure pipe. */
static int await_exec(struct process *process, int failure_fd, struct diag *diag)
{
    struct diag failure = {0};
    struct process_exit ignored;
    bool told = read_whole(process->keeper_fd, &process->pid, sizeof(process->pid));
    if (read_whole(failure_fd, &failure, sizeof(failure))) {
        dismiss_keeper(process, &ignored);
        return diag_fail(diag, failure.code, NULL, 0, "%s", failure.message);
    }
    if (told) {
        process->pid_fd = pidfd_open(process->pid, 0);
    }
    if (process->pid_fd < 0) {
        diag_fail_errno(diag, NULL, "cannot watch the new process");
        dismiss_keeper(process, &ignored);
        return ERR_SYSTEM;
    }
    return 0;
}

/* The two ways between us and the keeper: [0] is our end, [1] the keeper's. */
static int open_ways(int link_fds[2], int failure_fds[2], struct diag *diag)
{
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, link_fds) != 0) {
        return diag_fail_errno(diag, NULL, "cannot make a socket");
    }
    if (pipe2(failure_fds, O_CLOEXEC) != 0) {
        diag_fail_errno(diag, NULL, "cannot make a pipe");
        close_fd(&link_fds[0]);
        close_fd(&link_fds[1]);
        return ERR_SYSTEM;
    }
    return 0;
}

int process_start(const struct launch *launch, struct process *process, struct diag *diag)
{
    int link_fds[2] = {-1, -1};
    int failure_fds[2] = {-1, -1};
    *process = (struct process){0};
    int status = open_ways(link_fds, failure_fds, diag);
    if (status != 0) {
        return status;
    }
    pid_t keeper = fork();
    if (keeper == 0) {
        keep(launch, link_fds[1], failure_fds[1]);
    }
    close_fd(&link_fds[1]);
    close_fd(&failure_fds[1]);
    if (keeper < 0) {
        status = diag_fail_errno(diag, NULL, "cannot fork");
        close_fd(&link_fds[0]);
    } else {
        *process = (struct process){.pid_fd = -1, .keeper = keeper, .keeper_fd = link_fds[0]};
        status = await_exec(process, failure_fds[0], diag);
    }
    close_fd(&failure_fds[0]);
    return status;
}

/* Waits for the end of the program, or for `other_fd` (-1: none). 0, ERR_INTERRUPTED, ... */
static int await_end(const struct process *process, int other_fd, uint64_t timeout_us,
                     struct diag *diag)
{
    uint64_t deadline_ns = clock_monotonic_ns() + timeout_us * NS_PER_US;
    struct pollfd fds[2] = {{.fd = process->pid_fd, .events = POLLIN},
                            {.fd = other_fd, .events = POLLIN}};
    for (;;) {
        uint64_t now_ns = clock_monotonic_ns();
        uint64_t left_ns = deadline_ns > now_ns ? deadline_ns - now_ns : 0;
        struct timespec left = {.tv_sec = (time_t)(left_ns / NS_PER_S),
                                .tv_nsec = (long)(left_ns % NS_PER_S)};
        int count = ppoll(fds, ARRAY_LENGTH(fds), &left, NULL);
        if (count < 0 && errno != EINTR) {
            return diag_fail_errno(diag, NULL, "cannot wait for process %d", (int)process->pid);
        }
        if (count > 0) {
            return fds[0].revents != 0 ? 0 : ERR_INTERRUPTED;
        }
        if (count == 0) {
            return ERR_TIMEOUT;
        }
    }
}

int process_wait(const struct process *process, uint64_t timeout_us, struct diag *diag)
{
    return await_end(process, interrupt_fd(), timeout_us, diag);
}

int process_stop(struct process *process, uint64_t grace_us, struct process_exit *result,
                 struct diag *diag)
{
    if (process->pid == 0) {
        return 0;
    }
    /* Nobody reaps the program before the keeper is dismissed: its number is not reused. */
    pid_t pid = process->pid;
    kill(-pid, SIGTERM);
    kill(-pid, SIGCONT);
    if (await_end(process, -1, grace_us, diag) != 0) {
        kill(-pid, SIGKILL);
        if (await_end(process, -1, KILL_LIMIT_US, diag) != 0) {
            return diag_fail(diag, ERR_SYSTEM, NULL, 0, "process %d does not end on SIGKILL",
                             (int)pid);
        }
    }
    struct process_exit ended = {0};
    if (!dismiss_keeper(process, &ended)) {
        return diag_fail(diag, ERR_SYSTEM, NULL, 0, "the keeper of process %d was killed",
                         (int)pid);
    }
    if (result != NULL) {
        *result = ended;
    }
    return 0;
}

void process_exit_format(const struct process_exit *result, char text[PROCESS_EXIT_TEXT_SIZE])
{
    if (WIFSIGNALED(result->wait_status)) {
        int number = WTERMSIG(result->wait_status);
        snprintf(text, PROCESS_EXIT_TEXT_SIZE, "was killed by signal %d (%s)", number,
                 strsignal(number));
        return;
    }
    snprintf(text, PROCESS_EXIT_TEXT_SIZE, "exited with status %d",
             WEXITSTATUS(result->wait_status));
}
