/*
 * The kernel keeps more threads than there are virtual CPUs in a call that no library sees: the
 * others run meanwhile, and who comes back goes on, though by then nobody else is running.
 */
#include "validator.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BLOCKERS = 5, ROUNDS = 4, TURNS = 50, BUSY_MS = 25 };

static unsigned blocked; /* changed atomically */
static unsigned gate;    /* changed atomically; a futex */

/* futex() past every library: the C library's own function is interposed. */
static long wait_in_kernel(unsigned *word, unsigned value)
{
#if defined(__x86_64__)
    register long timeout __asm__("r10") = 0;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(SYS_futex), "D"(word), "S"(FUTEX_WAIT_PRIVATE), "d"(value), "r"(timeout)
                     : "rcx", "r11", "memory");
#elif defined(__aarch64__)
    register long number __asm__("x8") = SYS_futex;
    register long result __asm__("x0") = (long)word;
    register long operation __asm__("x1") = FUTEX_WAIT_PRIVATE;
    register long expected __asm__("x2") = value;
    register long timeout __asm__("x3") = 0;
    __asm__ volatile("svc 0"
                     : "+r"(result)
                     : "r"(number), "r"(operation), "r"(expected), "r"(timeout)
                     : "memory");
#else /* where libpscope passes through */
    long result = syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL);
#endif
    return result;
}

/* Long enough that the monitor sees a thread too many run, and takes its carrier away. */
static void compute(void)
{
    int64_t end_ns = validator_now_ns(CLOCK_MONOTONIC) + BUSY_MS * INT64_C(1000000);
    while (validator_now_ns(CLOCK_MONOTONIC) < end_ns) {
        for (volatile unsigned i = 0; i < 100000; i++) {
        }
    }
}

static void *block(void *argument)
{
    __atomic_add_fetch(&blocked, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&gate, __ATOMIC_SEQ_CST) == 0) {
        wait_in_kernel(&gate, 0);
    }
    compute();
    return argument;
}

/* Gets its turns while all the others are in the kernel, and lets them go then. */
static void *work(void *argument)
{
    while (__atomic_load_n(&blocked, __ATOMIC_SEQ_CST) < BLOCKERS) {
        sched_yield();
    }
    for (unsigned i = 0; i < TURNS; i++) {
        sched_yield();
    }
    __atomic_store_n(&gate, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &gate, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
    return argument;
}

static void check_round(void)
{
    pthread_t blockers[BLOCKERS], worker;
    blocked = gate = 0;
    worker = validator_spawn(work, NULL);
    for (unsigned i = 0; i < BLOCKERS; i++) {
        blockers[i] = validator_spawn(block, NULL);
    }
    validator_join(worker);
    for (unsigned i = 0; i < BLOCKERS; i++) {
        validator_join(blockers[i]);
    }
}

int main(void)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        check_round();
    }
    return validator_finish();
}
