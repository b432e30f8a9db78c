/* Changing the identity in a thread changes it for all of them, and nobody hangs. */
#include "validator.h"

#include <grp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 8, NOBODY = 65534 };

static pthread_barrier_t before, after;
static uid_t user_id;
static gid_t group_id;

static void change_identity(void)
{
    if (geteuid() == 0) {
        REQUIRE_EQUAL(setgroups(0, NULL), 0);
    }
    REQUIRE_EQUAL(setgid(group_id), 0);
    REQUIRE_EQUAL(setuid(user_id), 0);
}

static void *run(void *argument)
{
    pthread_barrier_wait(&before);
    if (argument != NULL) {
        change_identity();
    }
    pthread_barrier_wait(&after);
    REQUIRE_EQUAL(getuid(), user_id);
    REQUIRE_EQUAL(syscall(SYS_geteuid), user_id); /* of the kernel thread below */
    REQUIRE_EQUAL(syscall(SYS_getegid), group_id);
    return NULL;
}

static void run_threads(void)
{
    pthread_t threads[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        threads[i] = validator_spawn(run, i == THREADS / 2 ? &before : NULL);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        validator_join(threads[i]);
    }
    /* Threads of the changed process start and end as before. */
    REQUIRE_EQUAL(validator_count_kernel_threads(4, NULL) > 0, true);
}

/* In a child process, which root may then change for good. */
static void check_in_child(void)
{
    int status = -1;
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        run_threads();
        _exit(0);
    }
    REQUIRE_EQUAL(waitpid(child, &status, 0), child);
    REQUIRE_EQUAL(status, 0);
}

/* Some kernel thread's identity was changed alone, so that it may not change it any more. */
static void *change_alone(void *argument)
{
    REQUIRE_EQUAL(syscall(SYS_setresuid, 2001, 2002, 2003), 0);
    pthread_barrier_wait(&before);
    pthread_barrier_wait(&after);
    return argument;
}

/* Rather than go on with threads of different rights the process ends. */
static void check_divided_process(void)
{
    pid_t child = fork();
    int status = 0;
    if (child == 0) {
        REQUIRE_EQUAL(pthread_barrier_init(&before, NULL, 2), 0);
        REQUIRE_EQUAL(pthread_barrier_init(&after, NULL, 2), 0);
        validator_spawn(change_alone, NULL);
        pthread_barrier_wait(&before);
        (void)!setresuid(1001, 1002, 1003);
        _exit(0);
    }
    REQUIRE_EQUAL(waitpid(child, &status, 0), child);
    REQUIRE(WIFSIGNALED(status));
    REQUIRE_EQUAL(WTERMSIG(status), SIGABRT);
}

int main(void)
{
    bool root = geteuid() == 0;
    user_id = root ? NOBODY : getuid();
    group_id = root ? NOBODY : getgid();
    REQUIRE_EQUAL(pthread_barrier_init(&before, NULL, THREADS), 0);
    REQUIRE_EQUAL(pthread_barrier_init(&after, NULL, THREADS), 0);
    for (unsigned round = 0; round < 5; round++) {
        check_in_child();
    }
    if (root) {
        check_divided_process();
    }
    return validator_finish();
}
