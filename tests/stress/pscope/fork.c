/* fork, vfork, posix_spawn and system from threads; the child can use threads itself. */
#include "validator.h"

#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 6, ROUNDS = 3 };

static __thread unsigned own_id;
static unsigned prepared, in_parent; /* changed atomically */
static unsigned in_child;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void count_prepare(void)
{
    __atomic_add_fetch(&prepared, 1, __ATOMIC_SEQ_CST);
}

static void count_parent(void)
{
    __atomic_add_fetch(&in_parent, 1, __ATOMIC_SEQ_CST);
}

static void count_child(void)
{
    in_child++;
}

static int wait_for_status(pid_t child)
{
    int status = -1;
    pid_t ended;
    while ((ended = waitpid(child, &status, 0)) < 0) {
        REQUIRE_EQUAL(errno, EINTR);
    }
    REQUIRE_EQUAL(ended, child);
    REQUIRE(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void *add_one(void *argument)
{
    validator_sleep_ms(1);
    REQUIRE_EQUAL(pthread_mutex_lock(&lock), 0);
    ++*(unsigned *)argument;
    REQUIRE_EQUAL(pthread_mutex_unlock(&lock), 0);
    return argument;
}

/* The forking thread is the child's only thread, with its TLS, and may start threads of its own. */
static int run_child(unsigned id, pthread_t self)
{
    pthread_t threads[4];
    unsigned sum = 0;
    REQUIRE_EQUAL(own_id, id);
    REQUIRE(pthread_equal(pthread_self(), self));
    REQUIRE_EQUAL(in_child, 1);
    for (unsigned i = 0; i < 4; i++) {
        threads[i] = validator_spawn(add_one, &sum);
    }
    for (unsigned i = 0; i < 4; i++) {
        validator_join(threads[i]);
    }
    REQUIRE_EQUAL(sum, 4);
    return (int)id;
}

static void check_fork(void)
{
    unsigned id = own_id;
    pthread_t self = pthread_self();
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        _exit(run_child(id, self));
    }
    REQUIRE_EQUAL(wait_for_status(child), (int)id);
    REQUIRE(pthread_equal(pthread_self(), self));
}

static void check_spawn(void)
{
    char *arguments[] = {strdup("sh"), strdup("-c"), strdup("exit 7"), NULL};
    pid_t child = -1;
    REQUIRE_EQUAL(posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ), 0);
    REQUIRE_EQUAL(wait_for_status(child), 7);
    REQUIRE_EQUAL(posix_spawnp(&child, "sh", NULL, NULL, arguments, environ), 0);
    REQUIRE_EQUAL(wait_for_status(child), 7);
    REQUIRE_EQUAL(posix_spawn(&child, "/nonexistent", NULL, NULL, arguments, environ), ENOENT);
    for (unsigned i = 0; i < 3; i++) {
        free(arguments[i]);
    }
}

static void check_vfork(void)
{
    pid_t child = vfork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", "exit 9", (char *)NULL);
        _exit(127);
    }
    REQUIRE(child > 0);
    REQUIRE_EQUAL(wait_for_status(child), 9);
}

static void check_commands(void)
{
    char line[16] = "";
    int status = system("exit 3");
    REQUIRE(WIFEXITED(status));
    REQUIRE_EQUAL(WEXITSTATUS(status), 3);
    FILE *stream = popen("echo text", "r");
    REQUIRE(stream != NULL);
    REQUIRE(fgets(line, sizeof line, stream) == line);
    REQUIRE(strcmp(line, "text\n") == 0);
    REQUIRE_EQUAL(pclose(stream), 0);
}

static void *run(void *argument)
{
    own_id = (unsigned)(uintptr_t)argument;
    for (unsigned round = 0; round < ROUNDS; round++) {
        check_fork();
        check_spawn();
        check_vfork();
        check_commands();
        REQUIRE_EQUAL(own_id, (unsigned)(uintptr_t)argument);
    }
    return argument;
}

int main(void)
{
    pthread_t threads[THREADS];
    REQUIRE_EQUAL(pthread_atfork(count_prepare, count_parent, count_child), 0);
    for (uintptr_t i = 0; i < THREADS; i++) {
        threads[i] = validator_spawn(run, (void *)(i + 1));
    }
    run((void *)(uintptr_t)(THREADS + 1));
    for (unsigned i = 0; i < THREADS; i++) {
        validator_join(threads[i]);
    }
    REQUIRE_EQUAL(prepared, (THREADS + 1) * ROUNDS);
    REQUIRE_EQUAL(in_parent, (THREADS + 1) * ROUNDS);
    REQUIRE_EQUAL(in_child, 0);
    return validator_finish();
}
