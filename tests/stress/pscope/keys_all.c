/* All PTHREAD_KEYS_MAX keys of thread-specific data are the program's, and start as NULL. */
#include "validator.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>

static pthread_key_t keys[PTHREAD_KEYS_MAX];

static void *set_all(void *argument)
{
    for (uintptr_t i = 0; i < PTHREAD_KEYS_MAX; i++) {
        REQUIRE(pthread_getspecific(keys[i]) == NULL);
        REQUIRE_EQUAL(pthread_setspecific(keys[i], (void *)(i + 1)), 0);
    }
    validator_sleep_ms(1);
    for (uintptr_t i = 0; i < PTHREAD_KEYS_MAX; i++) {
        REQUIRE(pthread_getspecific(keys[i]) == (void *)(i + 1));
    }
    return argument;
}

int main(void)
{
    pthread_key_t more;
    for (unsigned i = 0; i < PTHREAD_KEYS_MAX; i++) {
        REQUIRE_EQUAL(pthread_key_create(&keys[i], NULL), 0);
    }
    REQUIRE_EQUAL(pthread_key_create(&more, NULL), EAGAIN);
    for (unsigned round = 0; round < 10; round++) {
        pthread_t first = validator_spawn(set_all, NULL);
        pthread_t second = validator_spawn(set_all, NULL);
        validator_join(first);
        validator_join(second);
    }
    set_all(NULL);
    return validator_finish();
}
