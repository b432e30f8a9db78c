/*
 * Signal masks (POSIX 2.4, sigaction, sigsetjmp, siglongjmp, pthread_sigmask): that of a handler,
 * what a jump out of one restores, the older functions that change it; and a signal for a thread
 * that computes.
 */
#include "validator.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 4 };

static __thread sigset_t seen_mask;
static __thread volatile int seen;
static __thread sigjmp_buf jump;
static volatile int told; /* by note(), in whatever thread it ran */

static void note(int signo)
{
    seen = signo;
    told = signo;
    pthread_sigmask(SIG_BLOCK, NULL, &seen_mask);
}

static void note_and_block(int signo)
{
    sigset_t set;

    note(signo);
    sigemptyset(&set);
    sigaddset(&set, SIGHUP);
    REQUIRE_EQUAL(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
}

static void leave(int signo)
{
    siglongjmp(jump, signo);
}

static void handle(int signo, void (*handler)(int), int also_blocked, int flags)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    if (also_blocked)
        sigaddset(&action.sa_mask, also_blocked);
    REQUIRE_EQUAL(sigaction(signo, &action, NULL), 0);
}

static int blocked(int signo)
{
    sigset_t mask;

    REQUIRE_EQUAL(pthread_sigmask(SIG_BLOCK, NULL, &mask), 0);
    return sigismember(&mask, signo);
}

static void change(int how, int signo)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, signo);
    REQUIRE_EQUAL(pthread_sigmask(how, &set, NULL), 0);
}

/* While the handler runs: its signal and sa_mask on top; after it: what was before. */
static void check_handler_mask(int (*send)(int))
{
    change(SIG_BLOCK, SIGTTIN);
    seen = 0;
    REQUIRE_EQUAL(send(SIGUSR1), 0);
    REQUIRE_EQUAL(seen, SIGUSR1);
    REQUIRE_EQUAL(sigismember(&seen_mask, SIGUSR1), 1);
    REQUIRE_EQUAL(sigismember(&seen_mask, SIGUSR2), 1);
    REQUIRE_EQUAL(sigismember(&seen_mask, SIGTTIN), 1);
    REQUIRE_EQUAL(sigismember(&seen_mask, SIGHUP), 0);
    REQUIRE_EQUAL(blocked(SIGUSR1) + blocked(SIGUSR2), 0);
    REQUIRE_EQUAL(blocked(SIGTTIN), 1);
    change(SIG_UNBLOCK, SIGTTIN);
    REQUIRE_EQUAL(send(SIGALRM), 0); /* SA_NODEFER */
    REQUIRE_EQUAL(seen, SIGALRM);
    REQUIRE_EQUAL(sigismember(&seen_mask, SIGALRM), 0);
    REQUIRE_EQUAL(send(SIGCONT), 0); /* its handler blocks SIGHUP, for itself */
    REQUIRE_EQUAL(seen, SIGCONT);
    REQUIRE_EQUAL(blocked(SIGHUP), 0);
}

static int send_to_self(int signo)
{
    return pthread_kill(pthread_self(), signo);
}

/* A jump out of a handler puts back the mask of sigsetjmp(), again and again. */
static void check_jump_from_handler(int signo, int also_blocked)
{
    volatile int round;

    for (round = 0; round < 3; round++) {
        if (sigsetjmp(jump, 1) == 0) {
            if (signo == SIGSEGV)
                *(volatile int *)NULL = 1;
            REQUIRE_EQUAL(raise(signo), 0);
            REQUIRE(!"jumped");
        }
        REQUIRE_EQUAL(blocked(signo), 0);
        REQUIRE_EQUAL(also_blocked ? blocked(also_blocked) : 0, 0);
        validator_sleep_ms(1);
    }
}

/* A jump in ordinary code: the mask as it was, or with 0 as it is. */
static void check_jump(void)
{
    change(SIG_BLOCK, SIGHUP);
    if (sigsetjmp(jump, 1) == 0) {
        change(SIG_UNBLOCK, SIGHUP);
        siglongjmp(jump, 1);
    }
    REQUIRE_EQUAL(blocked(SIGHUP), 1);
    if (sigsetjmp(jump, 0) == 0) {
        change(SIG_UNBLOCK, SIGHUP);
        siglongjmp(jump, 1);
    }
    REQUIRE_EQUAL(blocked(SIGHUP), 0);
    /* What the jump unblocks is delivered before sigsetjmp() returns. */
    seen = 0;
    if (sigsetjmp(jump, 1) == 0) {
        change(SIG_BLOCK, SIGTTOU);
        REQUIRE_EQUAL(raise(SIGTTOU), 0);
        REQUIRE_EQUAL(seen, 0);
        siglongjmp(jump, 1);
    }
    REQUIRE_EQUAL(seen, SIGTTOU);
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static void check_older_functions(void)
{
    seen = 0;
    REQUIRE_EQUAL(sighold(SIGTTOU), 0);
    REQUIRE_EQUAL(blocked(SIGTTOU), 1);
    REQUIRE_EQUAL(raise(SIGTTOU), 0);
    REQUIRE_EQUAL(seen, 0);
    REQUIRE_EQUAL(sigrelse(SIGTTOU), 0);
    REQUIRE_EQUAL(seen, SIGTTOU);
    REQUIRE_EQUAL(blocked(SIGTTOU), 0);
    seen = 0;
    REQUIRE_EQUAL(sighold(SIGTTOU), 0);
    REQUIRE_EQUAL(raise(SIGTTOU), 0);
    REQUIRE_ERRNO(sigpause(SIGTTOU), EINTR);
    REQUIRE_EQUAL(seen, SIGTTOU);
    REQUIRE_EQUAL(blocked(SIGTTOU), 1);
    REQUIRE_EQUAL(sigrelse(SIGTTOU), 0);
}

static void *check_all(void *argument)
{
    check_handler_mask(raise);
    check_handler_mask(send_to_self);
    check_jump_from_handler(SIGTERM, SIGPWR);
    check_jump_from_handler(SIGSEGV, 0);
    check_jump();
    check_older_functions();
    return argument;
}

/* Without a call in between that could look for signals. */
static void *compute(void *argument)
{
    volatile int *running = argument;
    volatile uint64_t count;

    *running = 1;
    for (count = 0; seen == 0 && count < UINT64_C(20000000000); count++) {
    }
    REQUIRE_EQUAL(seen, SIGTTOU);
    return NULL;
}

static void check_computing_thread(void)
{
    volatile int running = 0;
    pthread_t thread = validator_spawn(compute, (void *)(uintptr_t)&running);

    while (!running)
        sched_yield();
    REQUIRE_EQUAL(pthread_kill(thread, SIGTTOU), 0);
    validator_join(thread);
}

int main(void)
{
    pthread_t threads[THREADS];
    int i;

    handle(SIGUSR1, note, SIGUSR2, 0);
    handle(SIGALRM, note, 0, SA_NODEFER);
    handle(SIGCONT, note_and_block, 0, 0);
    handle(SIGTERM, leave, SIGPWR, 0);
    handle(SIGSEGV, leave, 0, 0);
    handle(SIGTTOU, note, 0, 0);
    for (i = 0; i < THREADS; i++)
        threads[i] = validator_spawn(check_all, NULL);
    for (i = 0; i < THREADS; i++)
        validator_join(threads[i]);
    check_all(NULL);
    check_computing_thread();
    REQUIRE(told);
    return validator_finish();
}
