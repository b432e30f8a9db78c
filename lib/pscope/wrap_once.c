/*
 * pthread_once: who comes second may have to wait while the first runs the program's initialiser,
 * which may park, so the waiting must not hold up a carrier. The control word keeps glibc's
 * meaning, so that its own callers agree with ours: 0 not yet, 2 done, odd while it runs (with
 * glibc's count of forks above, so that a child starts over what only its parent was doing).
 */
#include <limits.h>

#include "pscope/home.h"
#include "pscope/parking.h"
#include "pscope/process.h"
#include "pscope/real.h"
#include "pscope/sys.h"

#define ONCE_RUNNING    1
#define ONCE_DONE       2
#define FORK_GENERATION 4

/* Why a global: glibc's own is hidden. One more with every fork, as there. */
static atomic_uint generation;

static void count_fork(void)
{
    atomic_fetch_add(&generation, FORK_GENERATION);
}

static void __attribute__((constructor)) watch_forks(void)
{
    pthread_atfork(NULL, NULL, count_fork);
}

static void finish(pthread_once_t *control, int value)
{
    __atomic_store_n(control, value, __ATOMIC_SEQ_CST);
    sys_futex_wake(control, INT_MAX);
    if (process_active)
        parking_wake(control, UINT_MAX);
}

static void abandon(void *control)
{
    finish(control, 0);
}

static void initialise(pthread_once_t *control, void (*routine)(void))
{
    pthread_cleanup_push(abandon, control);
    routine();
    pthread_cleanup_pop(0);
    finish(control, ONCE_DONE);
}

static bool is_running(void *control)
{
    return __atomic_load_n((pthread_once_t *)control, __ATOMIC_SEQ_CST) ==
           (int)(atomic_load(&generation) | ONCE_RUNNING);
}

static void wait_running(pthread_once_t *control)
{
    struct parking_wait wait = {.key = control,
                                .must_wait = is_running,
                                .argument = control,
                                .deadline_ns = NO_DEADLINE,
                                .heed = ATTENTION_SIGNAL};

    if (!uthread_aboard)
        sys_futex_wait(control, atomic_load(&generation) | ONCE_RUNNING, NULL);
    else if (parking_wait(&wait) == WAKE_INTERRUPT)
        home_attend(uthread_self, false);
}

INTERPOSE int pthread_once(pthread_once_t *control, void (*routine)(void))
{
    int running = (int)(atomic_load(&generation) | ONCE_RUNNING);
    int value = __atomic_load_n(control, __ATOMIC_ACQUIRE);

    while (!(value & ONCE_DONE)) {
        if (value == running) {
            wait_running(control);
            value = __atomic_load_n(control, __ATOMIC_ACQUIRE);
        } else if (__atomic_compare_exchange_n(control, &value, running, false, __ATOMIC_ACQUIRE,
                                               __ATOMIC_ACQUIRE)) {
            initialise(control, routine);
            break;
        }
    }
    return 0;
}
