/* C11 threads on top of the interposed POSIX ones; glibc uses the same objects for both. */
#include <errno.h>
#include <threads.h>

#include "pscope/process.h"
#include "pscope/real.h"

struct start {
    thrd_start_t function;
    void *argument;
};

static int status(int error)
{
    switch (error) {
    case 0:
        return thrd_success;
    case EBUSY:
        return thrd_busy;
    case ETIMEDOUT:
        return thrd_timedout;
    case ENOMEM:
        return thrd_nomem;
    default:
        return thrd_error;
    }
}

static void *run(void *argument)
{
    struct start start = *(struct start *)argument;

    free(argument);
    return (void *)(intptr_t)start.function(start.argument);
}

INTERPOSE int thrd_create(thrd_t *handle, thrd_start_t function, void *argument)
{
    struct start *start = malloc(sizeof *start);
    int error;

    if (!start)
        return thrd_nomem;
    *start = (struct start){function, argument};
    error = pthread_create(handle, NULL, run, start);
    if (error)
        free(start);
    return error == EAGAIN ? thrd_nomem : status(error);
}

INTERPOSE int thrd_join(thrd_t handle, int *result)
{
    void *value;
    int error = pthread_join(handle, &value);

    if (result && !error)
        *result = (int)(intptr_t)value;
    return status(error);
}

INTERPOSE _Noreturn void thrd_exit(int result)
{
    pthread_exit((void *)(intptr_t)result);
}

INTERPOSE void thrd_yield(void)
{
    sched_yield();
}

INTERPOSE int thrd_sleep(const struct timespec *duration, struct timespec *remaining)
{
    int error = clock_nanosleep(CLOCK_REALTIME, 0, duration, remaining);

    return error == 0 ? 0 : error == EINTR ? -1 : -2;
}

INTERPOSE int mtx_lock(mtx_t *mutex)
{
    return status(pthread_mutex_lock((pthread_mutex_t *)mutex));
}

INTERPOSE int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict when)
{
    return status(pthread_mutex_timedlock((pthread_mutex_t *)mutex, when));
}

INTERPOSE int mtx_trylock(mtx_t *mutex)
{
    return status(pthread_mutex_trylock((pthread_mutex_t *)mutex));
}

INTERPOSE int mtx_unlock(mtx_t *mutex)
{
    return status(pthread_mutex_unlock((pthread_mutex_t *)mutex));
}

INTERPOSE int cnd_wait(cnd_t *cond, mtx_t *mutex)
{
    return status(pthread_cond_wait((pthread_cond_t *)cond, (pthread_mutex_t *)mutex));
}

INTERPOSE int cnd_timedwait(cnd_t *restrict cond, mtx_t *restrict mutex,
                            const struct timespec *restrict when)
{
    return status(pthread_cond_timedwait((pthread_cond_t *)cond, (pthread_mutex_t *)mutex, when));
}

INTERPOSE int cnd_signal(cnd_t *cond)
{
    return status(pthread_cond_signal((pthread_cond_t *)cond));
}

INTERPOSE int cnd_broadcast(cnd_t *cond)
{
    return status(pthread_cond_broadcast((pthread_cond_t *)cond));
}

INTERPOSE void call_once(once_flag *flag, void (*routine)(void))
{
    pthread_once((pthread_once_t *)flag, routine);
}
