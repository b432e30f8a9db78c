/* Contention scope: what attributes say and do, and threads of both scopes sharing locks. */
#include "validator.h"

#include <errno.h>
#include <pthread.h>

enum { PROBES = 20, PLAYERS = 8, TURNS = 2000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned turn;

static void init_with_scope(pthread_attr_t *attributes, int scope)
{
    bool refused = validator_scope() == VALIDATOR_NPTL && scope == PTHREAD_SCOPE_PROCESS;
    int read_back = -1;
    REQUIRE_EQUAL(pthread_attr_init(attributes), 0);
    REQUIRE_EQUAL(pthread_attr_setinheritsched(attributes, PTHREAD_EXPLICIT_SCHED), 0);
    REQUIRE_EQUAL(pthread_attr_setscope(attributes, scope), refused ? ENOTSUP : 0);
    REQUIRE_EQUAL(pthread_attr_getscope(attributes, &read_back), 0);
    REQUIRE_EQUAL(read_back, refused ? PTHREAD_SCOPE_SYSTEM : scope);
    REQUIRE_EQUAL(pthread_attr_setscope(attributes, 77), EINVAL);
}

/* Which kernel threads run 20 threads of that attribute, when the environment leaves the choice. */
static void check_kernel_threads(const pthread_attr_t *attributes, int scope)
{
    unsigned kernel_threads = validator_count_kernel_threads(PROBES, attributes);
    bool process = validator_scope() == VALIDATOR_PROCESS ||
                   (validator_scope() == VALIDATOR_MIXED && scope == PTHREAD_SCOPE_PROCESS);
    if (process) {
        REQUIRE(kernel_threads <= validator_vcpus() + PROBES / 3);
    } else {
        REQUIRE_EQUAL(kernel_threads, PROBES);
    }
}

static void *play(void *argument)
{
    unsigned id = (unsigned)(uintptr_t)argument;
    REQUIRE_EQUAL(pthread_mutex_lock(&mutex), 0);
    while (turn < TURNS) {
        if (turn % PLAYERS == id) {
            turn++;
            REQUIRE_EQUAL(pthread_cond_broadcast(&changed), 0);
        } else {
            REQUIRE_EQUAL(pthread_cond_wait(&changed, &mutex), 0);
        }
    }
    REQUIRE_EQUAL(pthread_mutex_unlock(&mutex), 0);
    return NULL;
}

/* Every other player has the other scope, and each turn passes between the two. */
static void check_shared_locks(pthread_attr_t attributes[2])
{
    pthread_t players[PLAYERS];
    for (uintptr_t i = 0; i < PLAYERS; i++) {
        REQUIRE_EQUAL(pthread_create(&players[i], &attributes[i % 2], play, (void *)i), 0);
    }
    for (unsigned i = 0; i < PLAYERS; i++) {
        validator_join(players[i]);
    }
    REQUIRE_EQUAL(turn, TURNS);
}

int main(void)
{
    static const int scopes[2] = {PTHREAD_SCOPE_SYSTEM, PTHREAD_SCOPE_PROCESS};
    pthread_attr_t attributes[2];
    for (unsigned i = 0; i < 2; i++) {
        init_with_scope(&attributes[i], scopes[i]);
        check_kernel_threads(&attributes[i], scopes[i]);
    }
    check_shared_locks(attributes);
    for (unsigned i = 0; i < 2; i++) {
        REQUIRE_EQUAL(pthread_attr_destroy(&attributes[i]), 0);
    }
    return validator_finish();
}
