/* A thread that the kernel blocks in a call nobody can split keeps no virtual CPU from the others.
 */
#include "validator.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAITERS = 5 };

static char path[] = "/tmp/validator_blocked_XXXXXX";
static char fifo_path[sizeof path + 8];
static uint32_t word;

static void *wait_for_lock(void *argument)
{
    int fd = open(path, O_RDWR);
    REQUIRE(fd >= 0);
    REQUIRE_EQUAL(flock(fd, LOCK_EX), 0);
    REQUIRE_EQUAL(close(fd), 0);
    return argument;
}

/* As liburcu and other libraries do it, past the C library's functions. */
static void *wait_for_word(void *argument)
{
    while (__atomic_load_n(&word, __ATOMIC_SEQ_CST) == 0) {
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    }
    return argument;
}

static void *wait_for_child(void *argument)
{
    int status = -1;
    pid_t child = *(const pid_t *)argument;
    REQUIRE_EQUAL(waitpid(child, &status, 0), child);
    REQUIRE_EQUAL(status, 0);
    return NULL;
}

/* open() of a FIFO blocks until the other end is opened. */
static void *wait_for_writer(void *argument)
{
    int fd = open(fifo_path, O_RDONLY);
    REQUIRE(fd >= 0);
    REQUIRE_EQUAL(close(fd), 0);
    return argument;
}

static void join_all(pthread_t *threads)
{
    for (unsigned i = 0; i < WAITERS; i++) {
        validator_join(threads[i]);
    }
}

static void check_file_lock(void)
{
    pthread_t threads[WAITERS];
    int fd = open(path, O_RDWR);
    REQUIRE_EQUAL(flock(fd, LOCK_EX), 0);
    for (unsigned i = 0; i < WAITERS; i++) {
        threads[i] = validator_spawn(wait_for_lock, NULL);
    }
    validator_sleep_ms(5);
    REQUIRE_EQUAL(flock(fd, LOCK_UN), 0);
    join_all(threads);
    REQUIRE_EQUAL(close(fd), 0);
}

static void check_futex(void)
{
    pthread_t threads[WAITERS];
    for (unsigned i = 0; i < WAITERS; i++) {
        threads[i] = validator_spawn(wait_for_word, NULL);
    }
    validator_sleep_ms(5);
    __atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1000, NULL, NULL, 0);
    join_all(threads);
}

static void check_children(void)
{
    pthread_t threads[WAITERS];
    pid_t children[WAITERS];
    int gate[2];
    REQUIRE_EQUAL(pipe(gate), 0);
    for (unsigned i = 0; i < WAITERS; i++) {
        children[i] = fork();
        REQUIRE(children[i] >= 0);
        if (children[i] == 0) {
            char byte;
            close(gate[1]);
            _exit((int)read(gate[0], &byte, 1)); /* 0 at the end of file */
        }
        threads[i] = validator_spawn(wait_for_child, &children[i]);
    }
    validator_sleep_ms(5);
    REQUIRE_EQUAL(close(gate[1]), 0);
    join_all(threads);
    REQUIRE_EQUAL(close(gate[0]), 0);
}

static void check_fifo(void)
{
    pthread_t threads[WAITERS];
    snprintf(fifo_path, sizeof fifo_path, "%s.fifo", path);
    REQUIRE_EQUAL(mkfifo(fifo_path, 0600), 0);
    for (unsigned i = 0; i < WAITERS; i++) {
        threads[i] = validator_spawn(wait_for_writer, NULL);
    }
    validator_sleep_ms(5);
    int fd = open(fifo_path, O_RDWR);
    REQUIRE(fd >= 0);
    join_all(threads);
    REQUIRE_EQUAL(close(fd), 0);
    REQUIRE_EQUAL(unlink(fifo_path), 0);
}

int main(void)
{
    int fd = mkstemp(path);
    REQUIRE(fd >= 0);
    check_file_lock();
    check_futex();
    check_children();
    check_fifo();
    REQUIRE_EQUAL(close(fd), 0);
    REQUIRE_EQUAL(unlink(path), 0);
    return validator_finish();
}
