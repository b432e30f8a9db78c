/*
 * Cancellation points about files and streams (POSIX 2.9.5.2): a thread that waits in one is
 * cancelled, and so is one that was cancelled before it calls one. A signal ends the wait, too
 * (2.4.4), whoever names the thread how.
 */
#include "validator.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct point {
    const char *name;
    void (*call)(void);
};

static int empty_pipe[2];
static char folder[] = "/tmp/cancel_points.XXXXXX";
static char fifo_path[64], file_path[64];
static int file;
static FILE *stream; /* of the pipe's reading end; closed by its owner, since a wait locks it */

static void wait_in_read(void)
{
    char byte;
    (void)!read(empty_pipe[0], &byte, 1);
}

static void wait_in_getc(void)
{
    (void)getc(stream);
}

static void wait_in_fgets(void)
{
    char line[10];
    (void)!fgets(line, sizeof line, stream);
}

static void wait_in_fread(void)
{
    char bytes[10];
    (void)!fread(bytes, 1, sizeof bytes, stream);
}

static void wait_in_getline(void)
{
    static char *line;
    static size_t size;
    (void)!getline(&line, &size, stream);
}

static void wait_in_open(void)
{
    (void)!open(fifo_path, O_RDONLY);
}

static void wait_in_creat(void)
{
    (void)!creat(fifo_path, 0600);
}

static const struct point waits[] = {
    {"read", wait_in_read},   {"getc", wait_in_getc},       {"fgets", wait_in_fgets},
    {"fread", wait_in_fread}, {"getline", wait_in_getline}, {"open", wait_in_open},
    {"creat", wait_in_creat},
};

static void do_open(void)
{
    (void)!open(file_path, O_RDONLY);
}

static void do_openat(void)
{
    (void)!openat(AT_FDCWD, file_path, O_RDONLY);
}

static void do_creat(void)
{
    (void)!creat(file_path, 0600);
}

static void do_close(void)
{
    close(-1);
}

static void do_pread(void)
{
    char byte;
    (void)!pread(file, &byte, 1, 0);
}

static void do_pwrite(void)
{
    (void)!pwrite(file, "x", 1, 0);
}

static void do_read(void)
{
    char byte;
    (void)!read(file, &byte, 1);
}

static void do_write(void)
{
    (void)!write(file, "x", 1);
}

static void do_fsync(void)
{
    fsync(file);
}

static void do_msync(void)
{
    msync(NULL, 0, MS_SYNC);
}

static const struct point points[] = {
    {"open", do_open},   {"openat", do_openat}, {"creat", do_creat}, {"close", do_close},
    {"pread", do_pread}, {"pwrite", do_pwrite}, {"read", do_read},   {"write", do_write},
    {"fsync", do_fsync}, {"msync", do_msync},
};

struct task {
    const struct point *point;
    volatile int ready, cancelled, cleaned, returned;
};

static void clean(void *argument)
{
    ((struct task *)argument)->cleaned = 1;
}

static void *wait_there(void *argument)
{
    struct task *task = argument;

    pthread_cleanup_push(clean, task);
    task->ready = 1;
    task->point->call();
    task->returned = 1;
    pthread_cleanup_pop(0);
    return NULL;
}

static void *go_there(void *argument)
{
    struct task *task = argument;

    REQUIRE_EQUAL(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL), 0);
    task->ready = 1;
    while (!task->cancelled)
        sched_yield();
    REQUIRE_EQUAL(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL), 0);
    return wait_there(task);
}

static void require_cancelled(const struct task *task, const void *value)
{
    if (value != PTHREAD_CANCELED || !task->cleaned || task->returned)
        validator_fail(__FILE__, __LINE__, "%s: was not cancelled as it should", task->point->name);
}

static void check_wait(const struct point *point)
{
    struct task task = {.point = point};
    pthread_t thread;

    stream = fdopen(dup(empty_pipe[0]), "r");
    REQUIRE(stream != NULL);
    thread = validator_spawn(wait_there, &task);
    while (!task.ready)
        sched_yield();
    validator_sleep_ms(5);
    REQUIRE_EQUAL(pthread_cancel(thread), 0);
    require_cancelled(&task, validator_join(thread));
    fclose(stream);
}

static void check_point(const struct point *point)
{
    struct task task = {.point = point};
    pthread_t thread = validator_spawn(go_there, &task);

    while (!task.ready)
        sched_yield();
    REQUIRE_EQUAL(pthread_cancel(thread), 0);
    task.cancelled = 1;
    require_cancelled(&task, validator_join(thread));
}

static volatile pid_t reader;
static volatile int handled;

static void note(int signo)
{
    handled = signo;
}

static void *read_stream(void *argument)
{
    char line[10];

    reader = gettid();
    REQUIRE(fgets(line, sizeof line, stream) == NULL);
    REQUIRE_EQUAL(errno, EINTR);
    return argument;
}

static void check_interrupted(bool by_name)
{
    pthread_t thread;

    stream = fdopen(dup(empty_pipe[0]), "r");
    reader = handled = 0;
    thread = validator_spawn(read_stream, NULL);
    while (!reader)
        sched_yield();
    /* Until it waits, the handler may run before the read. */
    validator_sleep_ms(20);
    if (by_name)
        REQUIRE_EQUAL(syscall(SYS_tgkill, getpid(), reader, SIGUSR1), 0);
    else
        REQUIRE_EQUAL(pthread_kill(thread, SIGUSR1), 0);
    validator_join(thread);
    REQUIRE_EQUAL(handled, SIGUSR1);
    fclose(stream);
}

static void *signal_self(void *argument)
{
    handled = 0;
    REQUIRE_EQUAL(syscall(SYS_tgkill, getpid(), gettid(), SIGUSR1), 0);
    REQUIRE_EQUAL(handled, SIGUSR1);
    handled = 0;
    REQUIRE_EQUAL(syscall(SYS_tkill, gettid(), SIGUSR1), 0);
    REQUIRE_EQUAL(handled, SIGUSR1);
    return argument;
}

int main(void)
{
    struct sigaction action = {.sa_handler = note};
    size_t i;

    REQUIRE_EQUAL(sigaction(SIGUSR1, &action, NULL), 0);
    REQUIRE_EQUAL(pipe(empty_pipe), 0);
    REQUIRE(mkdtemp(folder) != NULL);
    snprintf(fifo_path, sizeof fifo_path, "%s/fifo", folder);
    snprintf(file_path, sizeof file_path, "%s/file", folder);
    REQUIRE_EQUAL(mkfifo(fifo_path, 0600), 0);
    file = open(file_path, O_RDWR | O_CREAT, 0600);
    REQUIRE(file >= 0);
    for (i = 0; i < sizeof waits / sizeof waits[0]; i++)
        check_wait(&waits[i]);
    for (i = 0; i < sizeof points / sizeof points[0]; i++)
        check_point(&points[i]);
    check_interrupted(false);
    check_interrupted(true);
    validator_join(validator_spawn(signal_self, NULL));
    unlink(fifo_path);
    unlink(file_path);
    rmdir(folder);
    return validator_finish();
}
