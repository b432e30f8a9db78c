#include "sweep/plan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/prng.h"

static void append(char name[SETUP_NAME_SIZE], const char *format, ...) PRINTF_LIKE(2, 3);

static void append(char name[SETUP_NAME_SIZE], const char *format, ...)
{
    size_t used = strlen(name);
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(name + used, SETUP_NAME_SIZE - used, format, arguments);
    va_end(arguments);
    CHECK(length >= 0 && (size_t)length < SETUP_NAME_SIZE - used);
}

/* Scope and virtual CPUs always, the other axes only where they tell setups apart. */
static void name_setup(const struct axes *axes, struct plan_setup *setup)
{
    append(setup->name, "%s-scope-%u-cpu", thread_scope_name(setup->scope), setup->vcpus);
    if (axes->smt.count > 1) {
        append(setup->name, "-%s", smt_policy_name(setup->smt));
    }
    if (axes->placement.count > 1) {
        char text[SETUP_NAME_SIZE];
        placement_value_name(setup->placement, text, sizeof(text));
        append(setup->name, "-%s", text);
    }
    if (axes->malloc.count > 1) {
        append(setup->name, "-%s", allocator_name(setup->malloc));
    }
    if (axes->confine.count > 1) {
        append(setup->name, "-%s", confine_policy_name(setup->confine));
    }
}

/* Splits the fastest digit off a number in the mixed base that the axes make. */
static size_t take_digit(size_t *number, size_t base)
{
    size_t digit = *number % base;
    *number /= base;
    return digit;
}

static void make_setup(const struct axes *axes, size_t index, struct plan_setup *setup)
{
    *setup = (struct plan_setup){0};
    setup->scope = (enum thread_scope)axes->scope.values[take_digit(&index, axes->scope.count)];
    setup->vcpus = axes->vcpus.values[take_digit(&index, axes->vcpus.count)];
    setup->smt = (enum smt_policy)axes->smt.values[take_digit(&index, axes->smt.count)];
    setup->placement = &axes->placement.values[take_digit(&index, axes->placement.count)];
    setup->malloc = (enum allocator)axes->malloc.values[take_digit(&index, axes->malloc.count)];
    setup->confine =
        (enum confine_policy)axes->confine.values[take_digit(&index, axes->confine.count)];
    name_setup(axes, setup);
}

static void order_blocks(struct plan *plan, unsigned blocks, size_t *shuffled, uint64_t seed)
{
    struct prng prng = {seed};
    struct plan_start *start = plan->starts;
    for (unsigned block = 1; block <= blocks; block++) {
        for (size_t i = 0; i < plan->setup_count; i++) {
            shuffled[i] = i;
        }
        prng_shuffle(&prng, shuffled, plan->setup_count);
        for (size_t i = 0; i < plan->setup_count; i++) {
            *start++ = (struct plan_start){shuffled[i], block};
        }
    }
}

static void order_sequentially(struct plan *plan, unsigned blocks)
{
    struct plan_start *start = plan->starts;
    for (size_t setup = 0; setup < plan->setup_count; setup++) {
        for (unsigned block = 1; block <= blocks; block++) {
            *start++ = (struct plan_start){setup, block};
        }
    }
}

int plan_make(const struct experiment *experiment, struct plan *plan, struct diag *diag)
{
    const struct axes *axes = &experiment->axes;
    size_t setups = axes->scope.count * axes->vcpus.count * axes->smt.count *
                    axes->placement.count * axes->malloc.count * axes->confine.count;
    size_t starts = setups * experiment->repetitions.starts;
    CHECK(setups > 0 && setups <= EXPERIMENT_SETUPS_MAX && starts <= EXPERIMENT_RUNS_MAX);
    *plan = (struct plan){
        .setups = calloc(setups, sizeof(*plan->setups)),
        .setup_count = setups,
        .starts = calloc(starts, sizeof(*plan->starts)),
        .start_count = starts,
    };
    size_t *shuffled = calloc(setups, sizeof(*shuffled));
    if (plan->setups == NULL || plan->starts == NULL || shuffled == NULL) {
        free(shuffled);
        plan_free(plan);
        return diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
    }
    for (size_t i = 0; i < setups; i++) {
        make_setup(axes, i, &plan->setups[i]);
    }
    if (experiment->order == ORDER_SEQUENTIAL) {
        order_sequentially(plan, experiment->repetitions.starts);
    } else {
        order_blocks(plan, experiment->repetitions.starts, shuffled, experiment->seed);
    }
    free(shuffled);
    return 0;
}

void plan_free(struct plan *plan)
{
    free(plan->setups);
    free(plan->starts);
    *plan = (struct plan){0};
}

unsigned plan_workers(const struct experiment *experiment, const struct plan_setup *setup)
{
    return experiment->target.workers != 0 ? experiment->target.workers : setup->vcpus;
}
