#include "explorer.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pscope/context.h"
#include "pscope/uthread.h"
#include "world.h"

enum {
    KERNEL_THREADS_MAX = 8,
    STACK_SIZE = 32 * 1024,
    CHOICES_MAX = 1 << 16,
    STEPS_MAX = 20000, /* of one execution; a livelock has more */
};

struct kernel_thread {
    const char *name;
    void (*run)(void *argument);
    void *argument;
    void *context;
    bool ended;
    bool (*ready)(void *argument); /* NULL: it can go on */
    void *ready_argument;
    struct uthread *aboard, *self; /* its thread-local storage */
    _Alignas(64) char stack[STACK_SIZE];
};

/* One decision with more than one way to go on. */
struct choice {
    unsigned char taken, options;
    unsigned step;
    const char *from, *to; /* for the report */
};

/* Why globals: points lie deep in code that knows nothing of an explorer. */
static struct kernel_thread threads[KERNEL_THREADS_MAX];
static unsigned thread_count;
static struct kernel_thread *current; /* NULL: explore() itself */
static void *explorer_context;
static struct choice choices[CHOICES_MAX];
static unsigned choice_count; /* the prefix that is to be repeated */
static unsigned depth;        /* decisions of this execution */
static unsigned preemptions_left, steps;
static const char *failure;
static jmp_buf check_failed;

unsigned explore_steps(void)
{
    return steps;
}

static bool enabled(const struct kernel_thread *thread)
{
    return !thread->ended && (!thread->ready || thread->ready(thread->ready_argument));
}

/* The kernel threads that may be next, the current one first if it can go on. */
static unsigned candidates(struct kernel_thread *out[])
{
    unsigned count = 0, i;

    if (current && enabled(current)) {
        out[count++] = current;
        if (preemptions_left == 0)
            return count;
    }
    for (i = 0; i < thread_count; i++)
        if (&threads[i] != current && enabled(&threads[i]))
            out[count++] = &threads[i];
    return count;
}

static void give_up(const char *what)
{
    fprintf(stderr, "explorer: %s\n", what);
    abort();
}

/* Which of `options` ways to go: as recorded, else the first one. */
static unsigned choose(unsigned options)
{
    if (depth == CHOICES_MAX)
        give_up("an execution with too many decisions");
    if (depth == choice_count)
        choices[choice_count++] = (struct choice){.options = (unsigned char)options};
    if (choices[depth].options != options)
        give_up("an execution does not repeat: the code asks something that is not instrumented");
    choices[depth].step = steps;
    return choices[depth++].taken;
}

static struct kernel_thread *next_thread(void)
{
    struct kernel_thread *ways[KERNEL_THREADS_MAX], *next;
    unsigned count = candidates(ways);

    if (count == 0)
        return NULL;
    if (count == 1)
        return ways[0];
    next = ways[choose(count)];
    choices[depth - 1].from = current ? current->name : "start";
    choices[depth - 1].to = next->name;
    if (next != current && ways[0] == current)
        preemptions_left--;
    return next;
}

static void switch_to(struct kernel_thread *next)
{
    void **save = current ? &current->context : &explorer_context;

    if (current) {
        current->aboard = uthread_aboard;
        current->self = uthread_self;
    }
    current = next;
    if (next) {
        uthread_aboard = next->aboard;
        uthread_self = next->self;
    }
    context_swap(save, next ? next->context : explorer_context);
}

void explore_point(void)
{
    struct kernel_thread *next;

    if (!current)
        return;
    if (++steps > STEPS_MAX)
        explore_fail("it goes on for ever");
    next = next_thread();
    if (next != current)
        switch_to(next);
}

void explore_wait(bool (*ready)(void *argument), void *argument)
{
    current->ready = ready;
    current->ready_argument = argument;
    explore_point();
    current->ready = NULL;
}

void explore_fail(const char *what)
{
    failure = what;
    if (!current)
        longjmp(check_failed, 1);
    current = NULL;
    context_resume(explorer_context);
}

static void enter(void *argument)
{
    struct kernel_thread *self = argument;

    context_swap(&self->context, explorer_context);
    self->run(self->argument);
    self->ended = true;
    switch_to(next_thread());
    give_up("a kernel thread ran after its end");
}

void explore_spawn(const char *name, void (*run)(void *argument), void *argument)
{
    struct kernel_thread *thread = &threads[thread_count];
    void *back = explorer_context;

    if (thread_count++ == KERNEL_THREADS_MAX)
        give_up("too many kernel threads");
    memset(thread, 0, offsetof(struct kernel_thread, stack));
    thread->name = name;
    thread->run = run;
    thread->argument = argument;
    context_call(&explorer_context, thread->stack + STACK_SIZE, enter, thread);
    explorer_context = back;
}

/* True unless the execution failed. */
static bool execute(const struct scenario *scenario, unsigned preemptions)
{
    struct kernel_thread *first;

    thread_count = depth = steps = 0;
    current = NULL;
    failure = NULL;
    preemptions_left = preemptions;
    world_reset();
    scenario->begin();
    first = next_thread();
    if (first)
        switch_to(first);
    if (!failure && !setjmp(check_failed))
        scenario->check();
    return !failure;
}

/* Prepares the next order in depth-first search; false when all were seen. */
static bool advance(void)
{
    while (choice_count > 0) {
        struct choice *last = &choices[choice_count - 1];

        if (++last->taken < last->options)
            return true;
        choice_count--;
    }
    return false;
}

static void print_schedule(void)
{
    unsigned i;

    for (i = 0; i < depth; i++)
        if (choices[i].from != choices[i].to)
            printf("  step %u: %s -> %s\n", choices[i].step, choices[i].from, choices[i].to);
}

bool explore(const struct scenario *scenario, unsigned preemptions)
{
    unsigned long executions = 0;

    choice_count = 0;
    do {
        executions++;
        if (!execute(scenario, preemptions)) {
            printf("%s: schedule %lu: %s\n", scenario->name, executions, failure);
            print_schedule();
            return false;
        }
    } while (advance());
    printf("%s: %lu schedules, all with at most %u preemptions, hold\n", scenario->name, executions,
           preemptions);
    return true;
}
