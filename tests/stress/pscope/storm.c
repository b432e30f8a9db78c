/*
 * All primitives at once, at random: each worker draws one deed after the other from a sequence
 * that the seed decides, and every deed checks what it must leave true.
 * VALIDATOR_SECONDS: how long (2 s otherwise). VALIDATOR_SEED: repeats a storm; it is printed.
 *
 * The parent process is the watchdog: when a worker has been in one deed for STALL_S, it prints
 * what all workers and kernel threads are doing, and ends the storm as failed.
 */
#include "validator.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    WORKERS = 12,
    MUTEXES = 7,
    PERMITS = 3,
    SLOTS = 4,
    STALL_S = 15,
    MS = 1000000, /* ns */
};

/* What the watchdog sees; in shared memory. */
static struct report {
    struct {
        const char *deed; /* the same address in both processes */
        unsigned long count;
    } workers[WORKERS];
} * report;

static struct guarded {
    pthread_mutex_t mutex;
    unsigned first, second; /* equal whenever the mutex is free */
} guarded[MUTEXES];

static struct {
    pthread_rwlock_t lock;
    unsigned first, second;
} names;

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t not_empty, not_full;
    unsigned filled;
    unsigned long put, got;
} queue = {.mutex = PTHREAD_MUTEX_INITIALIZER,
           .not_empty = PTHREAD_COND_INITIALIZER,
           .not_full = PTHREAD_COND_INITIALIZER};

static sem_t permits;
static unsigned permits_taken;      /* changed atomically */
static int pipe_fds[2], sockets[2]; /* a token goes in before one is taken out */
static pthread_t workers[WORKERS];
static pthread_key_t key;
static unsigned long key_ends, key_sets; /* changed atomically */
static unsigned stop;                    /* changed atomically */
static _Thread_local volatile sig_atomic_t signals;
static _Thread_local uint64_t prng;

static uint64_t next_random(void)
{
    /* splitmix64 (Steele, Lea, Flood 2014): any seed will do */
    uint64_t z = prng += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static unsigned pick(unsigned limit)
{
    return (unsigned)(next_random() >> 32) % limit;
}

static struct timespec in_us(clockid_t clock, int64_t delay_us)
{
    int64_t then_ns = validator_now_ns(clock) + delay_us * 1000;
    return (struct timespec){then_ns / (1000 * MS), then_ns % (1000 * MS)};
}

static void settle_robust(struct guarded *one, int status)
{
    if (status == EOWNERDEAD) {
        one->second = one->first;
        REQUIRE_EQUAL(pthread_mutex_consistent(&one->mutex), 0);
    } else {
        REQUIRE_EQUAL(status, 0);
    }
}

static void change(struct guarded *one)
{
    REQUIRE_EQUAL(one->first, one->second);
    one->first++;
    if (pick(4) == 0) {
        sched_yield();
    }
    one->second++;
    REQUIRE_EQUAL(pthread_mutex_unlock(&one->mutex), 0);
}

static void lock_mutex(void)
{
    struct guarded *one = &guarded[pick(MUTEXES)];
    settle_robust(one, pthread_mutex_lock(&one->mutex));
    change(one);
}

static void lock_mutex_in_time(void)
{
    struct guarded *one = &guarded[pick(MUTEXES)];
    struct timespec due = in_us(CLOCK_REALTIME, pick(300));
    int status =
        pick(2) ? pthread_mutex_timedlock(&one->mutex, &due) : pthread_mutex_trylock(&one->mutex);
    if (status == ETIMEDOUT || status == EBUSY) {
        return;
    }
    settle_robust(one, status);
    change(one);
}

static void use_kinds(void)
{
    struct guarded *checking = &guarded[1], *recursive = &guarded[2];
    REQUIRE_EQUAL(pthread_mutex_lock(&checking->mutex), 0);
    REQUIRE_EQUAL(pthread_mutex_lock(&checking->mutex), EDEADLK);
    REQUIRE_EQUAL(pthread_mutex_unlock(&checking->mutex), 0);
    REQUIRE_EQUAL(pthread_mutex_unlock(&checking->mutex), EPERM);
    REQUIRE_EQUAL(pthread_mutex_lock(&recursive->mutex), 0);
    REQUIRE_EQUAL(pthread_mutex_trylock(&recursive->mutex), 0);
    sched_yield();
    REQUIRE_EQUAL(pthread_mutex_unlock(&recursive->mutex), 0);
    change(recursive);
}

static void *die_with_lock(void *argument)
{
    struct guarded *robust = argument;
    settle_robust(robust, pthread_mutex_lock(&robust->mutex));
    robust->first++;
    return NULL;
}

static void leave_robust_behind(void)
{
    validator_join(validator_spawn(die_with_lock, &guarded[4]));
}

static void use_names(void)
{
    struct timespec due = in_us(CLOCK_REALTIME, pick(500));
    unsigned way = pick(8);
    int status = way == 0   ? pthread_rwlock_wrlock(&names.lock)
                 : way == 1 ? pthread_rwlock_timedwrlock(&names.lock, &due)
                 : way == 2 ? pthread_rwlock_timedrdlock(&names.lock, &due)
                 : way == 3 ? pthread_rwlock_tryrdlock(&names.lock)
                            : pthread_rwlock_rdlock(&names.lock);
    if (status == ETIMEDOUT || status == EBUSY) {
        return;
    }
    REQUIRE_EQUAL(status, 0);
    REQUIRE_EQUAL(names.first, names.second);
    if (way < 2) {
        names.first++;
        sched_yield();
        names.second++;
    } else if (way == 4) {
        sched_yield();
    }
    REQUIRE_EQUAL(names.first, names.second);
    REQUIRE_EQUAL(pthread_rwlock_unlock(&names.lock), 0);
}

/* A bounded queue: waits are timed, since all workers may want the same at once. */
static void put_or_get(void)
{
    bool put = pick(2) != 0;
    struct timespec due = in_us(CLOCK_MONOTONIC, 100 + pick(2000));
    int status = 0;
    REQUIRE_EQUAL(pthread_mutex_lock(&queue.mutex), 0);
    while (status == 0 && queue.filled == (put ? SLOTS : 0)) {
        status = pthread_cond_clockwait(put ? &queue.not_full : &queue.not_empty, &queue.mutex,
                                        CLOCK_MONOTONIC, &due);
        REQUIRE(status == 0 || status == ETIMEDOUT);
    }
    REQUIRE(status == 0 ||
            validator_now_ns(CLOCK_MONOTONIC) >= due.tv_sec * (int64_t)1000 * MS + due.tv_nsec);
    if (queue.filled != (put ? SLOTS : 0)) {
        queue.filled += put ? 1 : -1u;
        *(put ? &queue.put : &queue.got) += 1;
        REQUIRE_EQUAL(pthread_cond_signal(put ? &queue.not_empty : &queue.not_full), 0);
    }
    REQUIRE_EQUAL(queue.put - queue.got, queue.filled);
    REQUIRE_EQUAL(pthread_mutex_unlock(&queue.mutex), 0);
}

static void take_permit(void)
{
    struct timespec due = in_us(CLOCK_REALTIME, pick(1000));
    bool timed = pick(3) == 0;
    int status;
    while ((status = timed ? sem_timedwait(&permits, &due) : sem_wait(&permits)) != 0 &&
           errno == EINTR) {
    }
    if (status != 0) {
        REQUIRE_EQUAL(errno, ETIMEDOUT);
        return;
    }
    REQUIRE(__atomic_add_fetch(&permits_taken, 1, __ATOMIC_SEQ_CST) <= PERMITS);
    sched_yield();
    __atomic_sub_fetch(&permits_taken, 1, __ATOMIC_SEQ_CST);
    REQUIRE_EQUAL(sem_post(&permits), 0);
}

struct meeting {
    pthread_barrier_t barrier;
    unsigned serial, came; /* changed atomically */
};

static void *meet(void *argument)
{
    struct meeting *meeting = argument;
    __atomic_add_fetch(&meeting->came, 1, __ATOMIC_SEQ_CST);
    int status = pthread_barrier_wait(&meeting->barrier);
    REQUIRE_EQUAL(__atomic_load_n(&meeting->came, __ATOMIC_SEQ_CST), 3);
    REQUIRE(status == 0 || status == PTHREAD_BARRIER_SERIAL_THREAD);
    if (status == PTHREAD_BARRIER_SERIAL_THREAD) {
        __atomic_add_fetch(&meeting->serial, 1, __ATOMIC_SEQ_CST);
    }
    return NULL;
}

static void meet_at_barrier(void)
{
    struct meeting meeting = {.serial = 0};
    REQUIRE_EQUAL(pthread_barrier_init(&meeting.barrier, NULL, 3), 0);
    pthread_t first = validator_spawn(meet, &meeting), second = validator_spawn(meet, &meeting);
    meet(&meeting);
    validator_join(first);
    validator_join(second);
    REQUIRE_EQUAL(meeting.serial, 1);
    REQUIRE_EQUAL(pthread_barrier_destroy(&meeting.barrier), 0);
}

/* A token in before one out: nobody waits for ever, whoever gets whose. */
static void pass_token(int out, int in)
{
    char token = 't';
    ssize_t count;
    while ((count = write(out, &token, 1)) < 0) {
        REQUIRE_EQUAL(errno, EINTR);
    }
    REQUIRE_EQUAL(count, 1);
    while ((count = read(in, &token, 1)) < 0) {
        REQUIRE_EQUAL(errno, EINTR);
    }
    REQUIRE_EQUAL(count, 1);
    REQUIRE_EQUAL(token, 't');
}

static void use_pipe(void)
{
    pass_token(pipe_fds[1], pipe_fds[0]);
}

static void use_sockets(void)
{
    pass_token(sockets[1], sockets[0]);
}

static void use_poll(void)
{
    struct pollfd wanted[2] = {{.fd = pipe_fds[0], .events = POLLIN},
                               {.fd = sockets[1], .events = POLLOUT}};
    unsigned count = 1 + pick(2);
    int ready = poll(wanted, count, (int)pick(2));
    REQUIRE(ready >= 0 ? (unsigned)ready <= count : errno == EINTR);
}

static void use_epoll(void)
{
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = 7};
    int epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    REQUIRE(epoll_fd >= 0);
    REQUIRE_EQUAL(epoll_ctl(epoll_fd, EPOLL_CTL_ADD, sockets[0], &event), 0);
    int ready = epoll_wait(epoll_fd, &event, 1, (int)pick(2));
    REQUIRE(ready >= 0 ? ready == 0 || event.data.u32 == 7 : errno == EINTR);
    REQUIRE_EQUAL(close(epoll_fd), 0);
}

static void sleep_shortly(void)
{
    int64_t delay_ns = pick(400) * 1000, before_ns = validator_now_ns(CLOCK_MONOTONIC);
    struct timespec delay = {.tv_nsec = delay_ns};
    int status = clock_nanosleep(CLOCK_MONOTONIC, 0, &delay, NULL);
    REQUIRE(status == 0 || status == EINTR);
    REQUIRE(status != 0 || validator_now_ns(CLOCK_MONOTONIC) - before_ns >= delay_ns);
}

static void read_timer(void)
{
    struct itimerspec when = {.it_value.tv_nsec = 1 + pick(MS)};
    uint64_t expirations = 0;
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
    ssize_t count;
    REQUIRE(timer >= 0);
    REQUIRE_EQUAL(timerfd_settime(timer, 0, &when, NULL), 0);
    while ((count = read(timer, &expirations, sizeof expirations)) < 0) {
        REQUIRE_EQUAL(errno, EINTR);
    }
    REQUIRE_EQUAL(count, sizeof expirations);
    REQUIRE_EQUAL(expirations, 1);
    REQUIRE_EQUAL(close(timer), 0);
}

/* One that waits for what never comes, until it is cancelled. */
struct victim {
    pthread_mutex_t mutex;
    pthread_cond_t never;
    sem_t none;
    int fds[2];
    unsigned way, cleaned;
    unsigned ready; /* changed atomically: its handler is there */
};

static void clean_up(void *argument)
{
    struct victim *victim = argument;
    victim->cleaned++;
    if (victim->way == 1) {
        REQUIRE_EQUAL(pthread_mutex_unlock(&victim->mutex), 0);
    }
}

static void wait_for_ever(struct victim *victim)
{
    struct pollfd wanted = {.fd = victim->fds[0], .events = POLLIN};
    struct timespec long_time = {.tv_sec = 1000};
    char byte;
    switch (victim->way) {
    case 0:
        sem_wait(&victim->none);
        break;
    case 1:
        pthread_cond_wait(&victim->never, &victim->mutex);
        break;
    case 2:
        REQUIRE(read(victim->fds[0], &byte, 1) < 0);
        break;
    case 3:
        nanosleep(&long_time, NULL);
        break;
    case 4:
        poll(&wanted, 1, -1);
        break;
    default:
        sched_yield();
        pthread_testcancel();
    }
}

static void *be_cancelled(void *argument)
{
    struct victim *victim = argument;
    if (victim->way == 1) {
        REQUIRE_EQUAL(pthread_mutex_lock(&victim->mutex), 0);
    }
    pthread_cleanup_push(clean_up, victim);
    __atomic_store_n(&victim->ready, 1, __ATOMIC_SEQ_CST);
    for (;;) {
        wait_for_ever(victim);
    }
    pthread_cleanup_pop(0);
    return NULL;
}

static void cancel(void)
{
    struct victim victim = {
        .mutex = PTHREAD_MUTEX_INITIALIZER, .never = PTHREAD_COND_INITIALIZER, .way = pick(6)};
    REQUIRE_EQUAL(sem_init(&victim.none, 0, 0), 0);
    REQUIRE_EQUAL(pipe(victim.fds), 0);
    pthread_t thread = validator_spawn(be_cancelled, &victim);
    while (__atomic_load_n(&victim.ready, __ATOMIC_SEQ_CST) == 0) {
        sched_yield();
    }
    if (pick(2)) {
        sleep_shortly();
    }
    REQUIRE_EQUAL(pthread_cancel(thread), 0);
    REQUIRE(validator_join(thread) == PTHREAD_CANCELED);
    REQUIRE_EQUAL(victim.cleaned, 1);
    REQUIRE_EQUAL(pthread_mutex_trylock(&victim.mutex), 0);
    close(victim.fds[0]);
    close(victim.fds[1]);
}

static void count_key_end(void *value)
{
    REQUIRE(value != NULL);
    __atomic_add_fetch(&key_ends, 1, __ATOMIC_SEQ_CST);
}

static void *set_key(void *argument)
{
    REQUIRE(pthread_getspecific(key) == NULL);
    REQUIRE_EQUAL(pthread_setspecific(key, &key), 0);
    __atomic_add_fetch(&key_sets, 1, __ATOMIC_SEQ_CST);
    sched_yield();
    return argument;
}

static void create_and_join(void)
{
    int value;
    REQUIRE(validator_join(validator_spawn(set_key, &value)) == &value);
}

static void *post_and_end(void *argument)
{
    REQUIRE_EQUAL(sem_post(argument), 0);
    return NULL;
}

static void create_detached(void)
{
    sem_t *ended = malloc(sizeof *ended);
    pthread_t thread;
    pthread_attr_t attributes;
    REQUIRE_EQUAL(sem_init(ended, 0, 0), 0);
    REQUIRE_EQUAL(pthread_attr_init(&attributes), 0);
    REQUIRE_EQUAL(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED), 0);
    REQUIRE_EQUAL(pthread_create(&thread, &attributes, post_and_end, ended), 0);
    REQUIRE_EQUAL(pthread_attr_destroy(&attributes), 0);
    while (sem_wait(ended) != 0) {
        REQUIRE_EQUAL(errno, EINTR);
    }
    REQUIRE_EQUAL(sem_destroy(ended), 0);
    free(ended);
}

static void fork_child(void)
{
    int status = 0;
    pid_t child;
    if (pick(16) != 0) {
        return;
    }
    child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        int value;
        _exit(validator_join(validator_spawn(set_key, &value)) == &value ? 7 : 1);
    }
    while (waitpid(child, &status, 0) < 0) {
        REQUIRE_EQUAL(errno, EINTR);
    }
    REQUIRE(WIFEXITED(status));
    REQUIRE_EQUAL(WEXITSTATUS(status), 7);
}

static void handle(int signo)
{
    (void)signo;
    signals++;
}

/* POSIX: a thread's signal to itself is delivered before the call returns. */
static void signal_somebody(void)
{
    sig_atomic_t before = signals;
    REQUIRE_EQUAL(pthread_kill(pthread_self(), SIGUSR1), 0);
    REQUIRE(signals != before);
    REQUIRE_EQUAL(pthread_kill(workers[pick(WORKERS)], SIGUSR1), 0);
}

static void keep_errno(void)
{
    static _Thread_local volatile unsigned mine;
    unsigned value = pick(100);
    mine = value;
    errno = (int)value;
    sched_yield();
    REQUIRE_EQUAL(errno, value);
    REQUIRE_EQUAL(mine, value);
}

static void *read_to_end(void *argument)
{
    char byte;
    ssize_t count;
    while ((count = read(*(int *)argument, &byte, 1)) < 0) {
        REQUIRE_EQUAL(errno, EINTR);
    }
    REQUIRE_EQUAL(count, 0);
    return NULL;
}

static void shut_down_while_waiting(void)
{
    int ends[2];
    REQUIRE_EQUAL(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    pthread_t first = validator_spawn(read_to_end, ends),
              second = validator_spawn(read_to_end, ends);
    if (pick(2)) {
        sched_yield();
    }
    REQUIRE_EQUAL(shutdown(ends[0], SHUT_RDWR), 0);
    validator_join(first);
    validator_join(second);
    REQUIRE_EQUAL(close(ends[0]), 0);
    REQUIRE_EQUAL(close(ends[1]), 0);
}

/* Long enough to lose a short time slice in between; doubles are exact here. */
static void compute(void)
{
    unsigned terms = 1000 + pick(100000);
    double sum = 0;
    for (unsigned i = 1; i <= terms; i++) {
        sum += i;
    }
    REQUIRE(sum == (double)terms * (terms + 1.0) / 2.0);
}

#define DEED(name)                                                                                 \
    {                                                                                              \
#name, name                                                                                \
    }
static const struct {
    const char *name;
    void (*act)(void);
} deeds[] = {
    DEED(lock_mutex),
    DEED(lock_mutex_in_time),
    DEED(use_kinds),
    DEED(leave_robust_behind),
    DEED(use_names),
    DEED(put_or_get),
    DEED(put_or_get),
    DEED(take_permit),
    DEED(meet_at_barrier),
    DEED(use_pipe),
    DEED(use_sockets),
    DEED(use_poll),
    DEED(use_epoll),
    DEED(sleep_shortly),
    DEED(read_timer),
    DEED(cancel),
    DEED(create_and_join),
    DEED(create_detached),
    DEED(fork_child),
    DEED(signal_somebody),
    DEED(keep_errno),
    DEED(compute),
    DEED(shut_down_while_waiting),
};
enum { DEEDS = sizeof deeds / sizeof deeds[0] };

static pthread_barrier_t start_line;

static void *work(void *argument)
{
    unsigned index = (unsigned)(uintptr_t)argument;
    prng = strtoull(getenv("VALIDATOR_SEED"), NULL, 10) + index * UINT64_C(0x100000001);
    pthread_barrier_wait(&start_line);
    while (__atomic_load_n(&stop, __ATOMIC_SEQ_CST) == 0) {
        unsigned deed = pick(DEEDS);
        __atomic_store_n(&report->workers[index].deed, deeds[deed].name, __ATOMIC_SEQ_CST);
        deeds[deed].act();
        __atomic_add_fetch(&report->workers[index].count, 1, __ATOMIC_SEQ_CST);
    }
    /* Others may still send signals to it. */
    pthread_barrier_wait(&start_line);
    return NULL;
}

static void init_mutex(struct guarded *one, unsigned index)
{
    static const int kinds[MUTEXES] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ERRORCHECK,
                                       PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ADAPTIVE_NP};
    pthread_mutexattr_t attributes;
    REQUIRE_EQUAL(pthread_mutexattr_init(&attributes), 0);
    REQUIRE_EQUAL(pthread_mutexattr_settype(&attributes, kinds[index]), 0);
    if (index == 4) {
        REQUIRE_EQUAL(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST), 0);
    } else if (index == 5) {
        REQUIRE_EQUAL(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT), 0);
    } else if (index == 6) {
        REQUIRE_EQUAL(pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED), 0);
    }
    REQUIRE_EQUAL(pthread_mutex_init(&one->mutex, &attributes), 0);
    REQUIRE_EQUAL(pthread_mutexattr_destroy(&attributes), 0);
}

/* Where each thread's attributes decide, every third one is a system-scope thread. */
static pthread_t start_worker(uintptr_t index)
{
    bool mixed = validator_scope() == VALIDATOR_MIXED;
    int scope = index % 3 && mixed ? PTHREAD_SCOPE_PROCESS : PTHREAD_SCOPE_SYSTEM;
    pthread_attr_t attributes;
    pthread_t thread;
    REQUIRE_EQUAL(pthread_attr_init(&attributes), 0);
    REQUIRE_EQUAL(pthread_attr_setscope(&attributes, scope), 0);
    REQUIRE_EQUAL(pthread_create(&thread, &attributes, work, (void *)index), 0);
    REQUIRE_EQUAL(pthread_attr_destroy(&attributes), 0);
    return thread;
}

static int storm(unsigned seconds)
{
    struct sigaction action = {.sa_handler = handle};
    REQUIRE_EQUAL(sigaction(SIGUSR1, &action, NULL), 0);
    for (unsigned i = 0; i < MUTEXES; i++) {
        init_mutex(&guarded[i], i);
    }
    REQUIRE_EQUAL(pthread_rwlock_init(&names.lock, NULL), 0);
    REQUIRE_EQUAL(sem_init(&permits, 0, PERMITS), 0);
    REQUIRE_EQUAL(pipe(pipe_fds), 0);
    REQUIRE_EQUAL(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
    REQUIRE_EQUAL(pthread_key_create(&key, count_key_end), 0);
    REQUIRE_EQUAL(pthread_barrier_init(&start_line, NULL, WORKERS + 1), 0);
    for (unsigned i = 0; i < WORKERS; i++) {
        workers[i] = start_worker(i);
    }
    pthread_barrier_wait(&start_line);
    validator_sleep_ms(seconds * INT64_C(1000));
    __atomic_store_n(&stop, 1, __ATOMIC_SEQ_CST);
    pthread_barrier_wait(&start_line);
    for (unsigned i = 0; i < WORKERS; i++) {
        validator_join(workers[i]);
        REQUIRE(report->workers[i].count > 0);
    }
    REQUIRE_EQUAL(key_ends, key_sets);
    REQUIRE_EQUAL(queue.put - queue.got, queue.filled);
    return validator_finish();
}

/* One line of a kernel thread's file under /proc. */
static void print_file(pid_t process, const char *task, const char *name)
{
    char path[300], text[100] = "";
    snprintf(path, sizeof path, "/proc/%d/task/%s/%s", process, task, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && read(fd, text, sizeof text - 1) > 0) {
        text[strcspn(text, "\n")] = '\0';
    }
    close(fd);
    fprintf(stderr, " %s", text);
}

static void print_state(pid_t process)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/%d/task", process);
    DIR *tasks = opendir(path);
    for (unsigned i = 0; i < WORKERS; i++) {
        fprintf(stderr, "worker %u: %s, after %lu deeds\n", i, report->workers[i].deed,
                report->workers[i].count);
    }
    for (struct dirent *task; tasks != NULL && (task = readdir(tasks)) != NULL;) {
        if (task->d_name[0] != '.') {
            fprintf(stderr, "kernel thread %s:", task->d_name);
            print_file(process, task->d_name, "comm");
            print_file(process, task->d_name, "wchan");
            print_file(process, task->d_name, "syscall");
            fputc('\n', stderr);
        }
    }
    if (tasks != NULL) {
        closedir(tasks);
    }
}

/* The longest time in seconds that a worker has been in one deed. */
static unsigned stalled_s(void)
{
    static struct {
        unsigned long count;
        unsigned since_s;
    } seen[WORKERS];
    unsigned longest = 0;
    for (unsigned i = 0; i < WORKERS; i++) {
        unsigned long count = __atomic_load_n(&report->workers[i].count, __ATOMIC_SEQ_CST);
        seen[i].since_s = count == seen[i].count ? seen[i].since_s + 1 : 0;
        seen[i].count = count;
        longest = seen[i].since_s > longest ? seen[i].since_s : longest;
    }
    return longest;
}

static int watch(pid_t storm_process)
{
    int status = 0;
    for (unsigned tick = 1; waitpid(storm_process, &status, WNOHANG) == 0; tick++) {
        validator_sleep_ms(20);
        if (tick % 50 == 0 && stalled_s() >= STALL_S) {
            fprintf(stderr, "a worker has been in one deed for %d s:\n", STALL_S);
            print_state(storm_process);
            kill(storm_process, SIGKILL);
            waitpid(storm_process, &status, 0);
            return 1;
        }
    }
    return status == 0 ? 0 : 1;
}

int main(void)
{
    const char *seconds = getenv("VALIDATOR_SECONDS");
    char seed[24];
    snprintf(seed, sizeof seed, "%lld", (long long)validator_now_ns(CLOCK_REALTIME));
    REQUIRE_EQUAL(setenv("VALIDATOR_SEED", seed, 0), 0);
    printf("VALIDATOR_SEED=%s\n", getenv("VALIDATOR_SEED"));
    fflush(stdout);
    report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(report != MAP_FAILED);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        return storm(seconds == NULL ? 2 : (unsigned)strtoul(seconds, NULL, 10));
    }
    return watch(child);
}
