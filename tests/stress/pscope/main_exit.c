/* main leaves by pthread_exit: the others go on, and the last one ends the process with status 0.
 */
#include "validator.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 6 };

static pthread_t main_thread;
static unsigned finished; /* changed atomically */

static void *outlive_main(void *argument)
{
    validator_sleep_ms(10);
    if (argument != NULL) {
        void *value = NULL;
        REQUIRE_EQUAL(pthread_join(main_thread, &value), 0);
        REQUIRE(value == &main_thread);
    }
    __atomic_add_fetch(&finished, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

static void say_finished(void)
{
    (void)!write(STDOUT_FILENO, "finished", 8);
}

static void leave_main_first(int write_end)
{
    REQUIRE_EQUAL(dup2(write_end, STDOUT_FILENO), STDOUT_FILENO);
    REQUIRE_EQUAL(atexit(say_finished), 0);
    main_thread = pthread_self();
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_t thread = validator_spawn(outlive_main, i == 0 ? &main_thread : NULL);
        REQUIRE_EQUAL(pthread_detach(thread), 0);
    }
    pthread_exit(&main_thread);
}

static void *call_exit(void *argument)
{
    exit(argument == NULL ? 1 : 5);
}

/* exit() in a thread ends the process while main waits. */
static void exit_in_thread(int write_end)
{
    REQUIRE_EQUAL(dup2(write_end, STDOUT_FILENO), STDOUT_FILENO);
    REQUIRE_EQUAL(atexit(say_finished), 0);
    validator_join(validator_spawn(call_exit, &main_thread));
}

static void check(void (*run)(int), int expected_status)
{
    int fds[2];
    int status = -1;
    char said[16] = "";
    REQUIRE_EQUAL(pipe(fds), 0);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        run(fds[1]);
        _exit(99);
    }
    close(fds[1]);
    REQUIRE_EQUAL(read(fds[0], said, sizeof said - 1), 8);
    REQUIRE(strcmp(said, "finished") == 0);
    close(fds[0]);
    REQUIRE_EQUAL(waitpid(child, &status, 0), child);
    REQUIRE(WIFEXITED(status));
    REQUIRE_EQUAL(WEXITSTATUS(status), expected_status);
}

int main(void)
{
    for (unsigned round = 0; round < 5; round++) {
        check(leave_main_first, 0);
        check(exit_in_thread, 5);
    }
    return validator_finish();
}
