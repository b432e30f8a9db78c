/*
 * Raw system calls: no errno, no cancellation point, no thread-local storage, so that they may be
 * used on a carrier's or a home's own stack and cannot be cut short by glibc's cancellation.
 * Each returns the kernel's value: negative is -errno.
 */
#ifndef PSCOPE_SYS_H
#define PSCOPE_SYS_H

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

#include "pscope/machine.h"

/* sys_call(long number, long a, long b, long c, long d, long e, long f) is the machine's. */
#define SYS_ARGUMENT(x)   ((long)(x))
#define sys_0(n)          sys_call(n, 0, 0, 0, 0, 0, 0)
#define sys_1(n, a)       sys_call(n, SYS_ARGUMENT(a), 0, 0, 0, 0, 0)
#define sys_2(n, a, b)    sys_call(n, SYS_ARGUMENT(a), SYS_ARGUMENT(b), 0, 0, 0, 0)
#define sys_3(n, a, b, c) sys_call(n, SYS_ARGUMENT(a), SYS_ARGUMENT(b), SYS_ARGUMENT(c), 0, 0, 0)
#define sys_4(n, a, b, c, d)                                                                       \
    sys_call(n, SYS_ARGUMENT(a), SYS_ARGUMENT(b), SYS_ARGUMENT(c), SYS_ARGUMENT(d), 0, 0)
#define sys_5(n, a, b, c, d, e)                                                                    \
    sys_call(n, SYS_ARGUMENT(a), SYS_ARGUMENT(b), SYS_ARGUMENT(c), SYS_ARGUMENT(d),                \
             SYS_ARGUMENT(e), 0)
#define sys_6(n, a, b, c, d, e, f)                                                                 \
    sys_call(n, SYS_ARGUMENT(a), SYS_ARGUMENT(b), SYS_ARGUMENT(c), SYS_ARGUMENT(d),                \
             SYS_ARGUMENT(e), SYS_ARGUMENT(f))

/* The libc convention: -1 and errno for an error. errno is the calling user thread's. */
static inline long sys_result(long result)
{
    if (result < 0 && result >= -4095) {
        errno = (int)-result;
        return -1;
    }
    return result;
}

/* What is ready now; newer machines have no poll(2). */
static inline long sys_poll_now(struct pollfd *fds, nfds_t count)
{
    struct timespec zero = {0, 0};

    return sys_5(SYS_ppoll, fds, count, &zero, NULL, 8);
}

/* Sleeps while *word == value, until woken or for `timeout` (relative; NULL: no limit). */
static inline long sys_futex_wait(const void *word, unsigned value, const struct timespec *timeout)
{
    return sys_4(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, timeout);
}

static inline long sys_futex_wake(const void *word, int count)
{
    return sys_3(SYS_futex, word, FUTEX_WAKE_PRIVATE, count);
}

/* 4096 on x86-64, up to 65536 on arm64, which only the kernel knows. */
static inline size_t sys_page_size(void)
{
    return getauxval(AT_PAGESZ);
}

static inline size_t sys_whole_pages(size_t size)
{
    return (size + sys_page_size() - 1) / sys_page_size() * sys_page_size();
}

/* Zeroed memory, a multiple of pages; NULL when memory is short. */
static inline void *sys_pages(size_t size)
{
    long result =
        sys_6(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return result < 0 && result >= -4095 ? NULL : (void *)result;
}

static inline void sys_pages_free(void *pages, size_t size)
{
    sys_2(SYS_munmap, pages, size);
}

#define SIGNAL_BIT(signo) (UINT64_C(1) << ((signo)-1))

/* glibc's own signals: cancellation, and set*id in all threads. */
#define SIGNAL_CANCEL 32
#define SIGNAL_SETXID 33
#define SIGNALS_ALL   UINT64_MAX

/* Sets the kernel thread's mask of blocked signals; `old` may be NULL. */
static inline void sys_signal_mask(int how, uint64_t mask, uint64_t *old)
{
    sys_4(SYS_rt_sigprocmask, how, &mask, old, sizeof mask);
}

#endif
