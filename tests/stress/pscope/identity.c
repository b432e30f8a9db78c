/* What a thread is told about itself: name, id, stack, CPUs, CPU time. */
#include "validator.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 8, ROUNDS = 20 };

static pid_t ids[THREADS];

static void check_name(unsigned number)
{
    char name[16], expected[16];
    snprintf(expected, sizeof expected, "thread-%u", number);
    REQUIRE_EQUAL(pthread_getname_np(pthread_self(), name, sizeof name), 0);
    REQUIRE(strcmp(name, expected) == 0);
}

static void check_stack(void)
{
    pthread_attr_t attributes;
    void *lowest = NULL;
    size_t size = 0;
    char here;
    REQUIRE_EQUAL(pthread_getattr_np(pthread_self(), &attributes), 0);
    REQUIRE_EQUAL(pthread_attr_getstack(&attributes, &lowest, &size), 0);
    REQUIRE(&here > (char *)lowest);
    REQUIRE(&here < (char *)lowest + size);
    REQUIRE_EQUAL(pthread_attr_destroy(&attributes), 0);
}

static void *run(void *argument)
{
    unsigned number = (unsigned)(uintptr_t)argument;
    char name[16];
    ids[number] = gettid();
    REQUIRE(ids[number] != getpid());
    snprintf(name, sizeof name, "thread-%u", number);
    REQUIRE_EQUAL(pthread_setname_np(pthread_self(), name), 0);
    for (unsigned round = 0; round < ROUNDS; round++) {
        validator_sleep_ms(1);
        REQUIRE_EQUAL(gettid(), ids[number]);
        check_name(number);
        check_stack();
    }
    return NULL;
}

static void check_names_and_ids(void)
{
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++) {
        threads[i] = validator_spawn(run, (void *)i);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        validator_join(threads[i]);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        for (unsigned k = 0; k < i; k++) {
            REQUIRE(ids[i] != ids[k]);
        }
    }
    REQUIRE_EQUAL(gettid(), getpid());
}

/* A thread may ask to run on one CPU; kernel threads then do, process scope only remembers it. */
static void *run_on_one_cpu(void *argument)
{
    cpu_set_t allowed, one, read_back;
    int cpu = 0;
    REQUIRE_EQUAL(pthread_getaffinity_np(pthread_self(), sizeof allowed, &allowed), 0);
    while (!CPU_ISSET(cpu, &allowed)) {
        cpu++;
    }
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    REQUIRE_EQUAL(pthread_setaffinity_np(pthread_self(), sizeof one, &one), 0);
    REQUIRE_EQUAL(pthread_getaffinity_np(pthread_self(), sizeof read_back, &read_back), 0);
    REQUIRE(CPU_EQUAL(&read_back, &one));
    for (unsigned round = 0; round < ROUNDS; round++) {
        sched_yield();
        REQUIRE(validator_scope() == VALIDATOR_PROCESS || sched_getcpu() == cpu);
    }
    return argument;
}

int main(void)
{
    check_names_and_ids();
    validator_join(validator_spawn(run_on_one_cpu, NULL));
    return validator_finish();
}
