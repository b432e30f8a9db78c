/* Signals: pthread_kill interrupts waits with EINTR, handlers run in the right thread, masks. */
#include "validator.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

static int silent_pipe[2]; /* nothing is ever written */
static int notice_pipe[2]; /* handlers write here */
static sem_t never;
static unsigned handled; /* changed atomically */
static unsigned interrupted;
static __thread volatile sig_atomic_t handled_here;

static void handle(int signal)
{
    int saved = errno;
    handled_here++;
    __atomic_add_fetch(&handled, 1, __ATOMIC_SEQ_CST);
    (void)!write(notice_pipe[1], signal == SIGUSR1 ? "1" : "2", 1);
    errno = saved;
}

static void wait_in_read(void)
{
    char byte;
    REQUIRE_ERRNO(read(silent_pipe[0], &byte, 1), EINTR);
}

static void wait_in_sleep(void)
{
    struct timespec limit = {.tv_sec = 20};
    struct timespec left = {.tv_sec = 99};
    REQUIRE_ERRNO(nanosleep(&limit, &left), EINTR);
    REQUIRE(left.tv_sec < 20);
    REQUIRE(left.tv_sec > 10);
}

static void wait_in_semaphore(void)
{
    REQUIRE_ERRNO(sem_wait(&never), EINTR);
}

static void wait_in_poll(void)
{
    struct pollfd wanted = {.fd = silent_pipe[0], .events = POLLIN};
    REQUIRE_ERRNO(poll(&wanted, 1, 20000), EINTR);
}

static void wait_in_select(void)
{
    fd_set set;
    FD_ZERO(&set);
    FD_SET(silent_pipe[0], &set);
    REQUIRE_ERRNO(select(silent_pipe[0] + 1, &set, NULL, NULL, NULL), EINTR);
}

static void wait_in_epoll(void)
{
    struct epoll_event event = {.events = EPOLLIN};
    int epoll_fd = epoll_create1(0);
    REQUIRE_EQUAL(epoll_ctl(epoll_fd, EPOLL_CTL_ADD, silent_pipe[0], &event), 0);
    REQUIRE_ERRNO(epoll_wait(epoll_fd, &event, 1, -1), EINTR);
    REQUIRE_EQUAL(close(epoll_fd), 0);
}

static void wait_in_pause(void)
{
    REQUIRE_ERRNO(pause(), EINTR);
}

static void (*const waits[])(void) = {wait_in_read, wait_in_sleep,  wait_in_semaphore,
                                      wait_in_poll, wait_in_select, wait_in_epoll,
                                      wait_in_pause};
enum { WAITS = sizeof waits / sizeof waits[0] };

static void *wait_interrupted(void *argument)
{
    void (*const *wait)(void) = argument;
    (*wait)();
    REQUIRE(handled_here >= 1); /* the handler ran here, not elsewhere */
    __atomic_add_fetch(&interrupted, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

/* The signal is repeated: nothing tells whether the thread waits already. */
static void check_interrupted_waits(void)
{
    pthread_t threads[WAITS];
    static void (*kinds[WAITS])(void);
    memcpy(kinds, waits, sizeof kinds);
    for (unsigned i = 0; i < WAITS; i++) {
        threads[i] = validator_spawn(wait_interrupted, &kinds[i]);
    }
    validator_sleep_ms(20);
    for (unsigned i = 0; i < WAITS; i++) {
        while (__atomic_load_n(&interrupted, __ATOMIC_SEQ_CST) < i + 1) {
            REQUIRE_EQUAL(pthread_kill(threads[i], SIGUSR1), 0);
            validator_sleep_ms(5);
        }
        validator_join(threads[i]);
    }
    REQUIRE(handled >= WAITS);
    REQUIRE_EQUAL(handled_here, 0);
}

struct room {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool open;
};

static void *wait_in_room(void *argument)
{
    struct room *room = argument;
    REQUIRE_EQUAL(pthread_mutex_lock(&room->mutex), 0);
    while (!room->open) {
        REQUIRE_EQUAL(pthread_cond_wait(&room->changed, &room->mutex), 0); /* never EINTR */
    }
    REQUIRE_EQUAL(pthread_mutex_unlock(&room->mutex), 0);
    REQUIRE_EQUAL(handled_here, 1);
    return NULL;
}

/* A handler runs while its thread waits for a condition, and writes to a self-pipe. */
static void check_handler_in_cond_wait(void)
{
    struct room room = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    char byte;
    pthread_t thread = validator_spawn(wait_in_room, &room);
    validator_sleep_ms(5);
    while (read(notice_pipe[0], &byte, 1) == 1) { /* it is non-blocking */
    }
    REQUIRE_EQUAL(pthread_kill(thread, SIGUSR2), 0);
    struct pollfd notice = {.fd = notice_pipe[0], .events = POLLIN};
    REQUIRE_EQUAL(poll(&notice, 1, 20000), 1);
    REQUIRE_EQUAL(read(notice_pipe[0], &byte, 1), 1);
    REQUIRE_EQUAL(byte, '2');
    REQUIRE_EQUAL(pthread_mutex_lock(&room.mutex), 0);
    room.open = true;
    REQUIRE_EQUAL(pthread_cond_signal(&room.changed), 0);
    REQUIRE_EQUAL(pthread_mutex_unlock(&room.mutex), 0);
    validator_join(thread);
}

static void *check_own_mask(void *argument)
{
    sigset_t set, old, pending;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    REQUIRE_EQUAL(pthread_sigmask(SIG_BLOCK, &set, &old), 0);
    REQUIRE_EQUAL(sigismember(&old, SIGUSR1), 0);
    REQUIRE_EQUAL(raise(SIGUSR1), 0);
    validator_sleep_ms(2);
    REQUIRE_EQUAL(handled_here, 0);
    REQUIRE_EQUAL(sigpending(&pending), 0);
    REQUIRE_EQUAL(sigismember(&pending, SIGUSR1), 1);
    REQUIRE_EQUAL(pthread_sigmask(SIG_SETMASK, &old, NULL), 0);
    REQUIRE_EQUAL(handled_here, 1); /* before pthread_sigmask returns */
    REQUIRE_EQUAL(raise(SIGUSR1), 0);
    REQUIRE_EQUAL(handled_here, 2); /* before raise returns */
    REQUIRE_EQUAL(pthread_kill(pthread_self(), SIGUSR2), 0);
    REQUIRE_EQUAL(handled_here, 3);
    REQUIRE_EQUAL(pthread_kill(pthread_self(), 0), 0);
    REQUIRE_EQUAL(pthread_kill(pthread_self(), 1000), EINVAL);
    REQUIRE_EQUAL(pthread_sigmask(99, &set, NULL), EINVAL);
    return argument;
}

static void *inherit_mask(void *argument)
{
    sigset_t now;
    REQUIRE_EQUAL(pthread_sigmask(SIG_BLOCK, NULL, &now), 0);
    REQUIRE_EQUAL(sigismember(&now, SIGUSR1), 1);
    REQUIRE_EQUAL(sigismember(&now, SIGUSR2), 0);
    return argument;
}

static void check_inherited_mask(void)
{
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    REQUIRE_EQUAL(pthread_sigmask(SIG_BLOCK, &set, &old), 0);
    validator_join(validator_spawn(inherit_mask, NULL));
    REQUIRE_EQUAL(pthread_sigmask(SIG_SETMASK, &old, NULL), 0);
}

/* A signal for the process is handled in some thread while all of them wait. */
static void check_process_directed(void)
{
    unsigned before = __atomic_load_n(&handled, __ATOMIC_SEQ_CST);
    char byte;
    while (read(notice_pipe[0], &byte, 1) == 1) {
    }
    REQUIRE_EQUAL(kill(getpid(), SIGUSR1), 0);
    while (__atomic_load_n(&handled, __ATOMIC_SEQ_CST) == before) {
        validator_sleep_ms(1);
    }
    REQUIRE_EQUAL(__atomic_load_n(&handled, __ATOMIC_SEQ_CST), before + 1);
}

int main(void)
{
    struct sigaction action = {.sa_handler = handle};
    REQUIRE_EQUAL(pipe(silent_pipe), 0);
    REQUIRE_EQUAL(pipe2(notice_pipe, O_NONBLOCK), 0);
    REQUIRE_EQUAL(sem_init(&never, 0, 0), 0);
    REQUIRE_EQUAL(sigaction(SIGUSR1, &action, NULL), 0);
    REQUIRE_EQUAL(sigaction(SIGUSR2, &action, NULL), 0);
    check_interrupted_waits();
    check_handler_in_cond_wait();
    validator_join(validator_spawn(check_own_mask, NULL));
    check_inherited_mask();
    check_process_directed();
    return validator_finish();
}
