/*
 * Two threads pass a byte to and fro over sockets. VALIDATOR_ROUNDS: how often (500 otherwise);
 * what the kernel is asked beside the reads and writes must not grow with it.
 */
#include "validator.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static int pairs[2][2];
static unsigned rounds = 500;

static void *answer(void *argument)
{
    char byte;
    for (unsigned i = 0; i < rounds; i++) {
        REQUIRE_EQUAL(read(pairs[0][1], &byte, 1), 1);
        REQUIRE_EQUAL(write(pairs[1][1], &byte, 1), 1);
    }
    return argument;
}

static void *ask(void *argument)
{
    for (unsigned i = 0; i < rounds; i++) {
        char byte = (char)i;
        REQUIRE_EQUAL(write(pairs[0][0], &byte, 1), 1);
        REQUIRE_EQUAL(read(pairs[1][0], &byte, 1), 1);
        REQUIRE_EQUAL(byte, (char)i);
    }
    return argument;
}

int main(void)
{
    const char *wanted = getenv("VALIDATOR_ROUNDS");
    if (wanted != NULL) {
        rounds = (unsigned)strtoul(wanted, NULL, 10);
    }
    REQUIRE_EQUAL(socketpair(AF_UNIX, SOCK_STREAM, 0, pairs[0]), 0);
    REQUIRE_EQUAL(socketpair(AF_UNIX, SOCK_STREAM, 0, pairs[1]), 0);
    pthread_t first = validator_spawn(answer, NULL), second = validator_spawn(ask, NULL);
    validator_join(first);
    validator_join(second);
    return validator_finish();
}
