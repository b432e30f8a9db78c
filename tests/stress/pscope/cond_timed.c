/* Timed waits on condition variables: each clock, never early, and no wake-up lost to a time-out.
 */
#include "validator.h"

#include <errno.h>
#include <pthread.h>

enum { WAITERS = 40, WAIT_MS = 10, TOKENS = 800, TAKERS = 6 };

enum wait_kind { TIMED, TIMED_BY_ATTRIBUTE, BY_CLOCK_REALTIME, BY_CLOCK_MONOTONIC, WAIT_KINDS };

struct scene {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    enum wait_kind kind;
    unsigned tokens;
    unsigned taken;
    bool open;
};

static clockid_t clock_of(enum wait_kind kind)
{
    return kind == TIMED || kind == BY_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC;
}

static void scene_init(struct scene *scene, enum wait_kind kind)
{
    pthread_condattr_t attributes;
    *scene = (struct scene){.mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP, .kind = kind};
    REQUIRE_EQUAL(pthread_condattr_init(&attributes), 0);
    if (kind == TIMED_BY_ATTRIBUTE) {
        REQUIRE_EQUAL(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC), 0);
    }
    REQUIRE_EQUAL(pthread_cond_init(&scene->changed, &attributes), 0);
    REQUIRE_EQUAL(pthread_condattr_destroy(&attributes), 0);
}

static int wait_until(struct scene *scene, const struct timespec *due)
{
    if (scene->kind == TIMED || scene->kind == TIMED_BY_ATTRIBUTE) {
        return pthread_cond_timedwait(&scene->changed, &scene->mutex, due);
    }
    return pthread_cond_clockwait(&scene->changed, &scene->mutex, clock_of(scene->kind), due);
}

static void *wait_in_vain(void *argument)
{
    struct scene *scene = argument;
    clockid_t clock = clock_of(scene->kind);
    struct timespec due = validator_deadline(clock, WAIT_MS);
    int status = 0;
    REQUIRE_EQUAL(pthread_mutex_lock(&scene->mutex), 0);
    while (status == 0) { /* a spurious wake-up is allowed */
        status = wait_until(scene, &due);
    }
    REQUIRE_EQUAL(status, ETIMEDOUT);
    REQUIRE(validator_now_ns(clock) >= (int64_t)due.tv_sec * 1000000000 + due.tv_nsec);
    REQUIRE_EQUAL(pthread_mutex_unlock(&scene->mutex), 0);
    return NULL;
}

static void *wait_for_opening(void *argument)
{
    struct scene *scene = argument;
    struct timespec due = validator_deadline(clock_of(scene->kind), 20000);
    REQUIRE_EQUAL(pthread_mutex_lock(&scene->mutex), 0);
    while (!scene->open) {
        REQUIRE_EQUAL(wait_until(scene, &due), 0);
    }
    REQUIRE_EQUAL(pthread_mutex_unlock(&scene->mutex), 0);
    return NULL;
}

static void run_waiters(struct scene *scene, void *(*run)(void *))
{
    pthread_t threads[WAITERS];
    for (unsigned i = 0; i < WAITERS; i++) {
        threads[i] = validator_spawn(run, scene);
    }
    validator_sleep_ms(3);
    if (run == wait_for_opening) {
        REQUIRE_EQUAL(pthread_mutex_lock(&scene->mutex), 0);
        scene->open = true;
        REQUIRE_EQUAL(pthread_cond_broadcast(&scene->changed), 0);
        REQUIRE_EQUAL(pthread_mutex_unlock(&scene->mutex), 0);
    }
    for (unsigned i = 0; i < WAITERS; i++) {
        validator_join(threads[i]);
    }
}

static void check_immediate_errors(struct scene *scene)
{
    struct timespec past = {.tv_sec = 1};
    struct timespec invalid = {.tv_sec = 2000000000, .tv_nsec = 1000000000};
    struct timespec negative = {.tv_sec = 2000000000, .tv_nsec = -1};
    REQUIRE_EQUAL(pthread_mutex_lock(&scene->mutex), 0);
    REQUIRE_EQUAL(wait_until(scene, &past), ETIMEDOUT);
    REQUIRE_EQUAL(wait_until(scene, &invalid), EINVAL);
    REQUIRE_EQUAL(wait_until(scene, &negative), EINVAL);
    REQUIRE_EQUAL(pthread_mutex_unlock(&scene->mutex), 0);
}

/* Waits of 0.1 ms that race with the signals: whoever times out takes no signal with him. */
static void *take_tokens(void *argument)
{
    struct scene *scene = argument;
    REQUIRE_EQUAL(pthread_mutex_lock(&scene->mutex), 0);
    while (scene->taken < TOKENS) {
        if (scene->tokens > 0) {
            scene->tokens--;
            scene->taken++;
            continue;
        }
        struct timespec due = validator_deadline(clock_of(scene->kind), 0);
        due.tv_nsec = due.tv_nsec < 999900000 ? due.tv_nsec + 100000 : due.tv_nsec;
        int status = wait_until(scene, &due);
        REQUIRE(status == 0 || status == ETIMEDOUT);
    }
    REQUIRE_EQUAL(pthread_mutex_unlock(&scene->mutex), 0);
    return NULL;
}

static void *take_last_tokens_untimed(void *argument)
{
    struct scene *scene = argument;
    REQUIRE_EQUAL(pthread_mutex_lock(&scene->mutex), 0);
    while (scene->tokens == 0) {
        REQUIRE_EQUAL(pthread_cond_wait(&scene->changed, &scene->mutex), 0);
    }
    REQUIRE_EQUAL(pthread_mutex_unlock(&scene->mutex), 0);
    return NULL;
}

static void add_tokens(struct scene *scene, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        REQUIRE_EQUAL(pthread_mutex_lock(&scene->mutex), 0);
        scene->tokens++;
        REQUIRE_EQUAL(pthread_cond_signal(&scene->changed), 0);
        REQUIRE_EQUAL(pthread_mutex_unlock(&scene->mutex), 0);
    }
}

static void check_race_with_signals(struct scene *scene)
{
    pthread_t threads[TAKERS];
    for (unsigned i = 0; i < TAKERS; i++) {
        threads[i] = validator_spawn(take_tokens, scene);
    }
    add_tokens(scene, TOKENS);
    for (unsigned i = 0; i < TAKERS; i++) {
        validator_join(threads[i]);
    }
    REQUIRE_EQUAL(scene->taken, TOKENS);
    pthread_t last = validator_spawn(take_last_tokens_untimed, scene);
    validator_sleep_ms(1);
    add_tokens(scene, 1);
    validator_join(last);
}

int main(void)
{
    for (unsigned kind = 0; kind < WAIT_KINDS; kind++) {
        struct scene scene;
        scene_init(&scene, (enum wait_kind)kind);
        check_immediate_errors(&scene);
        run_waiters(&scene, wait_in_vain);
        run_waiters(&scene, wait_for_opening);
        check_race_with_signals(&scene);
        REQUIRE_EQUAL(pthread_cond_destroy(&scene.changed), 0);
    }
    return validator_finish();
}
