/*
 * The functions behind the interposed ones: the next definition after ours, usually glibc's.
 * Looked up on first use, since other libraries' constructors may run before ours.
 */
#ifndef PSCOPE_REAL_H
#define PSCOPE_REAL_H

#include <aio.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <grp.h>
#include <mqueue.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <syslog.h>
#include <termios.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

/* X(name): the default version; V(name, version): that very one (older ones have other objects). */
#define REAL_FUNCTIONS(X, V)                                                                       \
    X(_Fork)                                                                                       \
    X(fgetc)                                                                                       \
    X(getc)                                                                                        \
    X(getchar)                                                                                     \
    X(fgets)                                                                                       \
    X(fread)                                                                                       \
    X(getdelim)                                                                                    \
    X(__getdelim)                                                                                  \
    X(getline)                                                                                     \
    X(fgetwc)                                                                                      \
    X(pread)                                                                                       \
    X(pread64)                                                                                     \
    X(pwrite)                                                                                      \
    X(pwrite64)                                                                                    \
    X(preadv)                                                                                      \
    X(preadv64)                                                                                    \
    X(pwritev)                                                                                     \
    X(pwritev64)                                                                                   \
    X(msync)                                                                                       \
    X(sync_file_range)                                                                             \
    X(tgkill)                                                                                      \
    X(timer_create)                                                                                \
    X(__longjmp_chk)                                                                               \
    X(__sigpause)                                                                                  \
    X(__sigsetjmp)                                                                                 \
    X(__xpg_sigpause)                                                                              \
    X(_longjmp)                                                                                    \
    X(longjmp)                                                                                     \
    X(sighold)                                                                                     \
    X(siglongjmp)                                                                                  \
    X(sigrelse)                                                                                    \
    X(sigset)                                                                                      \
    X(accept4)                                                                                     \
    X(aio_suspend)                                                                                 \
    X(clock_nanosleep)                                                                             \
    X(close)                                                                                       \
    X(close_range)                                                                                 \
    X(connect)                                                                                     \
    X(daemon)                                                                                      \
    X(dlclose)                                                                                     \
    X(dlopen)                                                                                      \
    X(dup)                                                                                         \
    X(dup2)                                                                                        \
    X(dup3)                                                                                        \
    X(epoll_create)                                                                                \
    X(epoll_create1)                                                                               \
    X(epoll_pwait)                                                                                 \
    X(epoll_pwait2)                                                                                \
    X(eventfd)                                                                                     \
    X(execv)                                                                                       \
    X(execve)                                                                                      \
    X(execvp)                                                                                      \
    X(execvpe)                                                                                     \
    X(fcntl)                                                                                       \
    X(fcntl64)                                                                                     \
    X(fdatasync)                                                                                   \
    X(fexecve)                                                                                     \
    X(flock)                                                                                       \
    X(flockfile)                                                                                   \
    X(fork)                                                                                        \
    X(fsync)                                                                                       \
    X(ftrylockfile)                                                                                \
    X(getaddrinfo)                                                                                 \
    X(gethostbyname)                                                                               \
    X(getnameinfo)                                                                                 \
    X(getpriority)                                                                                 \
    X(initgroups)                                                                                  \
    X(ioctl)                                                                                       \
    X(kill)                                                                                        \
    X(lockf)                                                                                       \
    X(mq_receive)                                                                                  \
    X(mq_send)                                                                                     \
    X(mq_timedreceive)                                                                             \
    X(mq_timedsend)                                                                                \
    X(msgrcv)                                                                                      \
    X(msgsnd)                                                                                      \
    X(nice)                                                                                        \
    X(open)                                                                                        \
    X(open64)                                                                                      \
    X(openat)                                                                                      \
    X(openat64)                                                                                    \
    X(pause)                                                                                       \
    X(pclose)                                                                                      \
    X(pipe)                                                                                        \
    X(pipe2)                                                                                       \
    X(poll)                                                                                        \
    X(popen)                                                                                       \
    X(posix_spawn)                                                                                 \
    X(posix_spawnp)                                                                                \
    X(ppoll)                                                                                       \
    X(prctl)                                                                                       \
    X(pselect)                                                                                     \
    X(pthread_barrier_wait)                                                                        \
    X(pthread_cancel)                                                                              \
    X(pthread_clockjoin_np)                                                                        \
    X(pthread_cond_clockwait)                                                                      \
    X(pthread_create)                                                                              \
    X(pthread_exit)                                                                                \
    X(pthread_getname_np)                                                                          \
    X(pthread_join)                                                                                \
    X(pthread_kill)                                                                                \
    X(pthread_mutex_clocklock)                                                                     \
    X(pthread_mutex_lock)                                                                          \
    X(pthread_mutex_timedlock)                                                                     \
    X(pthread_mutex_trylock)                                                                       \
    X(pthread_mutex_unlock)                                                                        \
    X(pthread_once)                                                                                \
    X(pthread_rwlock_clockrdlock)                                                                  \
    X(pthread_rwlock_clockwrlock)                                                                  \
    X(pthread_rwlock_rdlock)                                                                       \
    X(pthread_rwlock_timedrdlock)                                                                  \
    X(pthread_rwlock_timedwrlock)                                                                  \
    X(pthread_rwlock_tryrdlock)                                                                    \
    X(pthread_rwlock_trywrlock)                                                                    \
    X(pthread_rwlock_unlock)                                                                       \
    X(pthread_rwlock_wrlock)                                                                       \
    X(pthread_setcancelstate)                                                                      \
    X(pthread_setcanceltype)                                                                       \
    X(pthread_setname_np)                                                                          \
    X(pthread_sigmask)                                                                             \
    X(pthread_sigqueue)                                                                            \
    X(pthread_spin_lock)                                                                           \
    X(pthread_spin_trylock)                                                                        \
    X(pthread_testcancel)                                                                          \
    X(pthread_timedjoin_np)                                                                        \
    X(pthread_tryjoin_np)                                                                          \
    X(raise)                                                                                       \
    X(read)                                                                                        \
    X(readv)                                                                                       \
    X(recvfrom)                                                                                    \
    X(recvmmsg)                                                                                    \
    X(recvmsg)                                                                                     \
    X(sched_getaffinity)                                                                           \
    X(sched_setaffinity)                                                                           \
    X(sched_yield)                                                                                 \
    X(select)                                                                                      \
    X(sem_clockwait)                                                                               \
    X(sem_post)                                                                                    \
    X(sem_timedwait)                                                                               \
    X(sem_trywait)                                                                                 \
    X(sem_wait)                                                                                    \
    X(semop)                                                                                       \
    X(semtimedop)                                                                                  \
    X(sendfile)                                                                                    \
    X(sendfile64)                                                                                  \
    X(sendmmsg)                                                                                    \
    X(sendmsg)                                                                                     \
    X(sendto)                                                                                      \
    X(setegid)                                                                                     \
    X(seteuid)                                                                                     \
    X(setgid)                                                                                      \
    X(setgroups)                                                                                   \
    X(setpriority)                                                                                 \
    X(setregid)                                                                                    \
    X(setresgid)                                                                                   \
    X(setresuid)                                                                                   \
    X(setreuid)                                                                                    \
    X(setsockopt)                                                                                  \
    X(setuid)                                                                                      \
    X(sigaction)                                                                                   \
    X(sigaltstack)                                                                                 \
    X(signalfd)                                                                                    \
    X(sigpending)                                                                                  \
    X(sigsuspend)                                                                                  \
    X(sigtimedwait)                                                                                \
    X(sigwait)                                                                                     \
    X(sigwaitinfo)                                                                                 \
    X(socket)                                                                                      \
    X(socketpair)                                                                                  \
    X(system)                                                                                      \
    X(tcdrain)                                                                                     \
    X(timerfd_create)                                                                              \
    X(vsyslog)                                                                                     \
    X(wait)                                                                                        \
    X(wait3)                                                                                       \
    X(wait4)                                                                                       \
    X(waitid)                                                                                      \
    X(waitpid)                                                                                     \
    X(write)                                                                                       \
    X(writev)                                                                                      \
    V(pthread_cond_broadcast, "GLIBC_2.3.2")                                                       \
    V(pthread_cond_signal, "GLIBC_2.3.2")                                                          \
    V(pthread_cond_timedwait, "GLIBC_2.3.2")                                                       \
    V(pthread_cond_wait, "GLIBC_2.3.2")

/* Of libc's, but in no header. */
int __xpg_sigpause(int signo);
int __sigpause(int signo_or_mask, int is_signo);
void __longjmp_chk(struct __jmp_buf_tag environment[1], int value);

/* Some are deprecated, which concerns who calls them. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#define REAL_POINTER(name)            __typeof__(name) *name;
#define REAL_POINTER_V(name, version) __typeof__(name) *name;
struct real_functions {
    REAL_FUNCTIONS(REAL_POINTER, REAL_POINTER_V)
    bool ready;
};
#undef REAL_POINTER
#undef REAL_POINTER_V
#pragma GCC diagnostic pop

extern struct real_functions real_functions __attribute__((visibility("hidden")));

/* Looks all of them up, once. Any thread. */
void real_lookup(void);

static inline const struct real_functions *real_ready(void)
{
    if (__builtin_expect(!real_functions.ready, 0))
        real_lookup();
    return &real_functions;
}

#define REAL(name) (real_ready()->name)

/* The same where a user thread exists already, and so the look-up is done. */
#define REAL_AT_ONCE(name) (real_functions.name)

/*
 * libc's own, past whatever interposes them (a sanitizer's runtime): for kernel threads that have
 * no thread-local storage of their own, and for the signal that must not be put off. Until
 * real_find_libc() they are those that everybody calls.
 */
struct libc_functions {
    __typeof__(clock_gettime) *clock_gettime;
    __typeof__(clone) *clone;
    __typeof__(sigaction) *sigaction;
};
extern struct libc_functions libc_functions __attribute__((visibility("hidden")));

/* Once, before the first such kernel thread. */
void real_find_libc(void);

#endif
