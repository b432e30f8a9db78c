/*
 * What belongs to the whole process or to the kernel thread that calls: forks, programs, waits for
 * children, identities, priorities. All of it happens at home.
 */
#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>

#include "pscope/credentials.h"
#include "pscope/home.h"
#include "pscope/process.h"
#include "pscope/real.h"
#include "pscope/sys.h"

static pid_t fork_at_home(pid_t (*call)(void))
{
    bool moved = home_enter();
    pid_t pid = call();

    if (pid == 0)
        process_forked();
    else if (moved)
        home_leave();
    return pid;
}

INTERPOSE pid_t fork(void)
{
    return fork_at_home(REAL(fork));
}

/*
 * The child of a real vfork would return through our frame before the parent does. Like vfork,
 * _Fork runs no handlers of pthread_atfork().
 */
INTERPOSE pid_t vfork(void)
{
    return fork_at_home(REAL(_Fork));
}

INTERPOSE int daemon(int stay, int keep)
{
    bool moved = home_enter();
    int result = REAL(daemon)(stay, keep);

    if (result == 0)
        process_forked();
    else if (moved)
        home_leave();
    return result;
}

INTERPOSE int posix_spawn(pid_t *restrict pid, const char *restrict path,
                          const posix_spawn_file_actions_t *restrict actions,
                          const posix_spawnattr_t *restrict attributes,
                          char *const arguments[restrict], char *const environment[restrict])
{
    return AT_HOME(int, REAL(posix_spawn)(pid, path, actions, attributes, arguments, environment));
}

INTERPOSE int posix_spawnp(pid_t *restrict pid, const char *restrict file,
                           const posix_spawn_file_actions_t *restrict actions,
                           const posix_spawnattr_t *restrict attributes,
                           char *const arguments[restrict], char *const environment[restrict])
{
    return AT_HOME(int, REAL(posix_spawnp)(pid, file, actions, attributes, arguments, environment));
}

INTERPOSE int system(const char *command)
{
    return AT_HOME(int, REAL(system)(command));
}

INTERPOSE FILE *popen(const char *command, const char *type)
{
    return AT_HOME(FILE *, REAL(popen)(command, type));
}

INTERPOSE int pclose(FILE *stream)
{
    return AT_HOME(int, REAL(pclose)(stream));
}

INTERPOSE int execve(const char *path, char *const arguments[], char *const environment[])
{
    return AT_HOME(int, REAL(execve)(path, arguments, environment));
}

INTERPOSE int execv(const char *path, char *const arguments[])
{
    return AT_HOME(int, REAL(execv)(path, arguments));
}

INTERPOSE int execvp(const char *file, char *const arguments[])
{
    return AT_HOME(int, REAL(execvp)(file, arguments));
}

INTERPOSE int execvpe(const char *file, char *const arguments[], char *const environment[])
{
    return AT_HOME(int, REAL(execvpe)(file, arguments, environment));
}

INTERPOSE int fexecve(int fd, char *const arguments[], char *const environment[])
{
    return AT_HOME(int, REAL(fexecve)(fd, arguments, environment));
}

/*
 * The arguments of an execl function as an array; what follows them goes to *rest (unless NULL). In
 * pages of its own, since the caller may be the child of a vfork, where malloc's locks are
 * anybody's: they are lost only if the exec fails.
 */
static char *const *collect(const char *first, va_list list, char *const **rest)
{
    size_t count = 1, i;
    char **arguments;
    va_list counted;

    va_copy(counted, list);
    for (; first && va_arg(counted, char *); count++) {
    }
    va_end(counted);
    arguments = mmap(NULL, (count + 1) * sizeof *arguments, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (arguments == MAP_FAILED)
        return NULL;
    arguments[0] = (char *)(uintptr_t)first;
    for (i = 1; first && i <= count; i++)
        arguments[i] = va_arg(list, char *);
    if (rest)
        *rest = va_arg(list, char *const *);
    return arguments;
}

#define COLLECT(first, rest)                                                                       \
    ({                                                                                             \
        char *const *arguments_;                                                                   \
        va_list list_;                                                                             \
        va_start(list_, first);                                                                    \
        arguments_ = collect(first, list_, rest);                                                  \
        va_end(list_);                                                                             \
        arguments_;                                                                                \
    })

INTERPOSE int execl(const char *path, const char *argument, ...)
{
    char *const *arguments = COLLECT(argument, NULL);

    return arguments ? execv(path, arguments) : -1;
}

INTERPOSE int execlp(const char *file, const char *argument, ...)
{
    char *const *arguments = COLLECT(argument, NULL);

    return arguments ? execvp(file, arguments) : -1;
}

INTERPOSE int execle(const char *path, const char *argument, ...)
{
    char *const *environment = NULL;
    char *const *arguments = COLLECT(argument, &environment);

    return arguments ? execve(path, arguments, environment) : -1;
}

INTERPOSE pid_t wait(int *status)
{
    return AT_HOME(pid_t, REAL(wait)(status));
}

INTERPOSE pid_t waitpid(pid_t pid, int *status, int options)
{
    return AT_HOME(pid_t, REAL(waitpid)(pid, status, options));
}

INTERPOSE pid_t wait3(int *status, int options, struct rusage *usage)
{
    return AT_HOME(pid_t, REAL(wait3)(status, options, usage));
}

INTERPOSE pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
    return AT_HOME(pid_t, REAL(wait4)(pid, status, options, usage));
}

INTERPOSE int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
    return AT_HOME(int, REAL(waitid)(type, id, info, options));
}

/* glibc changes every thread that it knows; the kernel threads that it does not know follow. */
static int changed(int result, long number, long a, long b, long c)
{
    if (result == 0 && process_active)
        credentials_follow(number, a, b, c);
    return result;
}

INTERPOSE int setuid(uid_t uid)
{
    return changed(AT_HOME(int, REAL(setuid)(uid)), SYS_setuid, uid, 0, 0);
}

INTERPOSE int setgid(gid_t gid)
{
    return changed(AT_HOME(int, REAL(setgid)(gid)), SYS_setgid, gid, 0, 0);
}

INTERPOSE int seteuid(uid_t uid)
{
    return changed(AT_HOME(int, REAL(seteuid)(uid)), SYS_setresuid, -1, uid, -1);
}

INTERPOSE int setegid(gid_t gid)
{
    return changed(AT_HOME(int, REAL(setegid)(gid)), SYS_setresgid, -1, gid, -1);
}

INTERPOSE int setreuid(uid_t real, uid_t effective)
{
    return changed(AT_HOME(int, REAL(setreuid)(real, effective)), SYS_setreuid, real, effective, 0);
}

INTERPOSE int setregid(gid_t real, gid_t effective)
{
    return changed(AT_HOME(int, REAL(setregid)(real, effective)), SYS_setregid, real, effective, 0);
}

INTERPOSE int setresuid(uid_t real, uid_t effective, uid_t saved)
{
    return changed(AT_HOME(int, REAL(setresuid)(real, effective, saved)), SYS_setresuid, real,
                   effective, saved);
}

INTERPOSE int setresgid(gid_t real, gid_t effective, gid_t saved)
{
    return changed(AT_HOME(int, REAL(setresgid)(real, effective, saved)), SYS_setresgid, real,
                   effective, saved);
}

INTERPOSE int setgroups(size_t count, const gid_t *groups)
{
    return changed(AT_HOME(int, REAL(setgroups)(count, groups)), SYS_setgroups, (long)count,
                   (long)groups, 0);
}

INTERPOSE int initgroups(const char *user, gid_t group)
{
    gid_t groups[256];
    int count = sizeof groups / sizeof groups[0];

    if (!process_active)
        return REAL(initgroups)(user, group);
    if (AT_HOME(int, getgrouplist(user, group, groups, &count)) < 0)
        return (int)sys_result(-EINVAL);
    return setgroups((size_t)count, groups);
}

INTERPOSE int prctl(int option, ...)
{
    unsigned long a, b, c, d;
    va_list list;

    va_start(list, option);
    a = va_arg(list, unsigned long);
    b = va_arg(list, unsigned long);
    c = va_arg(list, unsigned long);
    d = va_arg(list, unsigned long);
    va_end(list);
    return AT_HOME(int, REAL(prctl)(option, a, b, c, d));
}

INTERPOSE int setpriority(__priority_which_t which, id_t who, int priority)
{
    return AT_HOME(int, REAL(setpriority)(which, who, priority));
}

INTERPOSE int getpriority(__priority_which_t which, id_t who)
{
    return AT_HOME(int, REAL(getpriority)(which, who));
}

INTERPOSE int nice(int increment)
{
    return AT_HOME(int, REAL(nice)(increment));
}

/*
 * Thread 0 is the caller: its home, as gettid() says, not the carrier of the moment. A user thread
 * runs where the carriers may; its own wish is remembered, and holds for what it does at home.
 */
INTERPOSE int sched_setaffinity(pid_t tid, size_t size, const cpu_set_t *set)
{
    if (tid == 0 && uthread_self)
        tid = uthread_self->tid;
    return REAL(sched_setaffinity)(tid, size, set);
}

INTERPOSE int sched_getaffinity(pid_t tid, size_t size, cpu_set_t *set)
{
    if (tid == 0 && uthread_self)
        tid = uthread_self->tid;
    return REAL(sched_getaffinity)(tid, size, set);
}

/* libcap's; capabilities belong to the calling kernel thread. */
int capset(void *header, const void *data);
INTERPOSE int capset(void *header, const void *data)
{
    return AT_HOME(int, (int)sys_result(sys_2(SYS_capset, header, data)));
}
