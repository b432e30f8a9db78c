/* Faults are signalled where they happen: in their thread, on its stack or its alternate one. */
#include "validator.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { THREADS = 6, ROUNDS = 20 };

static char *no_access;
static __thread sigjmp_buf recovery;
static __thread volatile sig_atomic_t faults;

static void handle_fault(int signal, siginfo_t *info, void *context)
{
    (void)context;
    REQUIRE_EQUAL(signal, SIGSEGV);
    REQUIRE(info->si_addr == no_access);
    faults++;
    siglongjmp(recovery, 1);
}

static void *run(void *argument)
{
    for (int round = 0; round < ROUNDS; round++) {
        if (sigsetjmp(recovery, 1) == 0) {
            *(volatile char *)no_access = 1;
            validator_fail(__FILE__, __LINE__, "the write did not fault");
        }
        REQUIRE_EQUAL(faults, round + 1);
        sched_yield();
    }
    return argument;
}

int main(void)
{
    pthread_t threads[THREADS];
    struct sigaction action = {.sa_sigaction = handle_fault, .sa_flags = SA_SIGINFO};
    no_access = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(no_access != MAP_FAILED);
    REQUIRE_EQUAL(sigaction(SIGSEGV, &action, NULL), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        threads[i] = validator_spawn(run, NULL);
    }
    run(NULL);
    for (unsigned i = 0; i < THREADS; i++) {
        validator_join(threads[i]);
    }
    return validator_finish();
}
