/* Condition variables: hand-offs, broadcasts, no wake-up lost, the mutex held again afterwards. */
#include "validator.h"

#include <errno.h>
#include <pthread.h>

enum { HANDOFFS = 3000, WAITERS = 60, TOKENS = 3000, TAKERS = 6 };

struct scene {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    unsigned turn;
    unsigned waiting;
    unsigned tokens;
    unsigned taken;
    bool open;
};

static void *play_odd(void *argument)
{
    struct scene *scene = argument;
    REQUIRE_EQUAL(pthread_mutex_lock(&scene->mutex), 0);
    while (scene->turn < HANDOFFS) {
        if (scene->turn % 2 == 0) {
            REQUIRE_EQUAL(pthread_cond_wait(&scene->changed, &scene->mutex), 0);
        } else {
            scene->turn++;
            REQUIRE_EQUAL(pthread_cond_signal(&scene->changed), 0);
        }
    }
    REQUIRE_EQUAL(pthread_mutex_unlock(&scene->mutex), 0);
    return NULL;
}

static void check_handoff(void)
{
    struct scene scene = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    pthread_t other = validator_spawn(play_odd, &scene);
    REQUIRE_EQUAL(pthread_mutex_lock(&scene.mutex), 0);
    while (scene.turn < HANDOFFS) {
        if (scene.turn % 2 == 1) {
            REQUIRE_EQUAL(pthread_cond_wait(&scene.changed, &scene.mutex), 0);
        } else {
            scene.turn++;
            REQUIRE_EQUAL(pthread_cond_signal(&scene.changed), 0);
        }
    }
    REQUIRE_EQUAL(pthread_mutex_unlock(&scene.mutex), 0);
    validator_join(other);
}

static void *wait_for_opening(void *argument)
{
    struct scene *scene = argument;
    REQUIRE_EQUAL(pthread_mutex_lock(&scene->mutex), 0);
    scene->waiting++;
    while (!scene->open) {
        REQUIRE_EQUAL(pthread_cond_wait(&scene->changed, &scene->mutex), 0);
    }
    scene->waiting--;
    REQUIRE_EQUAL(pthread_mutex_unlock(&scene->mutex), 0); /* an error unless it is ours */
    return NULL;
}

static void wait_for_waiters(struct scene *scene, unsigned count)
{
    REQUIRE_EQUAL(pthread_mutex_lock(&scene->mutex), 0);
    while (scene->waiting < count) {
        REQUIRE_EQUAL(pthread_mutex_unlock(&scene->mutex), 0);
        validator_sleep_ms(1);
        REQUIRE_EQUAL(pthread_mutex_lock(&scene->mutex), 0);
    }
}

static void check_broadcast(struct scene *scene)
{
    pthread_t threads[WAITERS];
    for (unsigned i = 0; i < WAITERS; i++) {
        threads[i] = validator_spawn(wait_for_opening, scene);
    }
    wait_for_waiters(scene, WAITERS);
    scene->open = true;
    REQUIRE_EQUAL(pthread_cond_broadcast(&scene->changed), 0);
    REQUIRE_EQUAL(pthread_mutex_unlock(&scene->mutex), 0);
    for (unsigned i = 0; i < WAITERS; i++) {
        validator_join(threads[i]);
    }
    REQUIRE_EQUAL(scene->waiting, 0);
    REQUIRE_EQUAL(pthread_cond_destroy(&scene->changed), 0);
}

static void *take_tokens(void *argument)
{
    struct scene *scene = argument;
    REQUIRE_EQUAL(pthread_mutex_lock(&scene->mutex), 0);
    while (scene->taken < TOKENS) {
        if (scene->tokens == 0) {
            REQUIRE_EQUAL(pthread_cond_wait(&scene->changed, &scene->mutex), 0);
        } else {
            scene->tokens--;
            if (++scene->taken == TOKENS) {
                REQUIRE_EQUAL(pthread_cond_broadcast(&scene->changed), 0);
            }
        }
    }
    REQUIRE_EQUAL(pthread_mutex_unlock(&scene->mutex), 0);
    return NULL;
}

/* One signal a token and nothing else: a lost wake-up hangs here. Signalled without the mutex. */
static void check_no_signal_lost(void)
{
    struct scene scene = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    pthread_t threads[TAKERS];
    for (unsigned i = 0; i < TAKERS; i++) {
        threads[i] = validator_spawn(take_tokens, &scene);
    }
    for (unsigned i = 0; i < TOKENS; i++) {
        REQUIRE_EQUAL(pthread_mutex_lock(&scene.mutex), 0);
        scene.tokens++;
        REQUIRE_EQUAL(pthread_mutex_unlock(&scene.mutex), 0);
        REQUIRE_EQUAL(pthread_cond_signal(&scene.changed), 0);
    }
    for (unsigned i = 0; i < TAKERS; i++) {
        validator_join(threads[i]);
    }
    REQUIRE_EQUAL(scene.taken, TOKENS);
    REQUIRE_EQUAL(scene.tokens, 0);
}

static void check_all_broadcasts(void)
{
    struct scene plain = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    struct scene checking = {.mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP,
                             .changed = PTHREAD_COND_INITIALIZER};
    struct scene recursive = {.mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP,
                              .changed = PTHREAD_COND_INITIALIZER};
    check_broadcast(&plain);
    check_broadcast(&checking);
    check_broadcast(&recursive);
    REQUIRE_EQUAL(pthread_cond_init(&checking.changed, NULL), 0);
    REQUIRE_EQUAL(pthread_cond_signal(&checking.changed), 0); /* nobody waits: nothing is kept */
    REQUIRE_EQUAL(pthread_cond_wait(&checking.changed, &checking.mutex), EPERM); /* not held */
    REQUIRE_EQUAL(pthread_cond_destroy(&checking.changed), 0);
}

int main(void)
{
    check_handoff();
    check_all_broadcasts();
    check_no_signal_lost();
    return validator_finish();
}
