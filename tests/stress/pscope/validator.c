#include "validator.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PROBES_MAX = 64, PROBES = 24 };

void validator_fail(const char *file, int line, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    dprintf(STDERR_FILENO, "%s:%d: %s\n", file, line, text);
    abort();
}

void validator_equal(const char *file, int line, const char *what, intmax_t actual,
                     intmax_t expected)
{
    if (actual != expected) {
        validator_fail(file, line, "%s is %jd, should be %jd", what, actual, expected);
    }
}

enum validator_scope validator_scope(void)
{
    static const char *const names[] = {"nptl", "system", "process", "mixed"};
    const char *name = getenv("VALIDATOR_SCOPE");
    for (unsigned i = 0; name != NULL && i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i]) == 0) {
            return (enum validator_scope)i;
        }
    }
    return VALIDATOR_NPTL;
}

unsigned validator_vcpus(void)
{
    const char *number = getenv("VALIDATOR_VCPUS");
    return number == NULL ? 0 : (unsigned)strtoul(number, NULL, 10);
}

pthread_t validator_spawn(void *(*run)(void *), void *argument)
{
    pthread_t thread;
    REQUIRE_EQUAL(pthread_create(&thread, NULL, run, argument), 0);
    return thread;
}

void *validator_join(pthread_t thread)
{
    void *value = NULL;
    REQUIRE_EQUAL(pthread_join(thread, &value), 0);
    return value;
}

int64_t validator_now_ns(clockid_t clock)
{
    struct timespec now;
    REQUIRE_EQUAL(clock_gettime(clock, &now), 0);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

struct timespec validator_deadline(clockid_t clock, int64_t delay_ms)
{
    int64_t due_ns = validator_now_ns(clock) + delay_ms * 1000000;
    return (struct timespec){.tv_sec = due_ns / 1000000000, .tv_nsec = due_ns % 1000000000};
}

void validator_sleep_ms(int64_t delay_ms)
{
    struct timespec left = {.tv_sec = delay_ms / 1000, .tv_nsec = delay_ms % 1000 * 1000000};
    while (nanosleep(&left, &left) != 0) {
        REQUIRE_EQUAL(errno, EINTR);
    }
}

long validator_kernel_thread(void)
{
#if defined(__x86_64__)
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "0"(SYS_gettid) : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long number __asm__("x8") = SYS_gettid;
    register long result __asm__("x0");
    __asm__ volatile("svc 0" : "=r"(result) : "r"(number) : "memory");
    return result;
#else /* where libpscope passes through */
    return syscall(SYS_gettid);
#endif
}

struct probe {
    pthread_barrier_t *together;
    long kernel_thread;
};

static void *probe_run(void *argument)
{
    struct probe *probe = argument;
    pthread_barrier_wait(probe->together);
    probe->kernel_thread = validator_kernel_thread();
    pthread_barrier_wait(probe->together);
    return NULL;
}

static unsigned count_distinct(const struct probe *probes, unsigned count)
{
    unsigned distinct = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned earlier = 0;
        while (earlier < i && probes[earlier].kernel_thread != probes[i].kernel_thread) {
            earlier++;
        }
        distinct += earlier == i;
    }
    return distinct;
}

unsigned validator_count_kernel_threads(unsigned count, const pthread_attr_t *attributes)
{
    pthread_t threads[PROBES_MAX];
    struct probe probes[PROBES_MAX];
    pthread_barrier_t together;
    REQUIRE(count <= PROBES_MAX);
    REQUIRE_EQUAL(pthread_barrier_init(&together, NULL, count), 0);
    for (unsigned i = 0; i < count; i++) {
        probes[i].together = &together;
        REQUIRE_EQUAL(pthread_create(&threads[i], attributes, probe_run, &probes[i]), 0);
    }
    for (unsigned i = 0; i < count; i++) {
        validator_join(threads[i]);
    }
    REQUIRE_EQUAL(pthread_barrier_destroy(&together), 0);
    return count_distinct(probes, count);
}

int validator_finish(void)
{
    enum validator_scope scope = validator_scope();
    unsigned kernel_threads = validator_count_kernel_threads(PROBES, NULL);
    if (scope == VALIDATOR_PROCESS) {
        /* Substitutes for carriers that the kernel held up may come on top of the virtual CPUs. */
        REQUIRE(kernel_threads <= validator_vcpus() + PROBES / 3);
    } else {
        REQUIRE_EQUAL(kernel_threads, PROBES);
    }
    return 0;
}
