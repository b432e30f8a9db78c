/* Locks hidden inside of the C library: malloc, stdio, the loader, the resolver, exit handlers. */
#include "validator.h"

#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8, ROUNDS = 150 };

static FILE *stream;

static void use_malloc(unsigned seed)
{
    void *blocks[16];
    for (unsigned i = 0; i < 16; i++) {
        size_t size = 1 + (seed * 131 + i * 977) % 5000;
        blocks[i] = malloc(size);
        REQUIRE(blocks[i] != NULL);
        memset(blocks[i], (int)i, size);
    }
    sched_yield();
    for (unsigned i = 0; i < 16; i++) {
        REQUIRE_EQUAL(*(unsigned char *)blocks[i], i);
        free(blocks[i]);
    }
}

/* Lines of threads never mix: the stream has a lock. */
static void use_stdio(unsigned seed)
{
    REQUIRE(fprintf(stream, "%05u %05u\n", seed, seed) == 12);
}

/* flockfile is held over a switch; others must wait for it and not for ever. */
static void use_flockfile(unsigned seed)
{
    flockfile(stream);
    fprintf(stream, "%05u ", seed);
    if (seed % 8 == 0) {
        sched_yield();
    }
    fprintf(stream, "%05u\n", seed);
    funlockfile(stream);
}

static void use_loader(unsigned seed)
{
    (void)seed;
    void *library = dlopen("libm.so.6", RTLD_NOW);
    REQUIRE(library != NULL);
    REQUIRE(dlsym(library, "cos") != NULL);
    sched_yield();
    REQUIRE_EQUAL(dlclose(library), 0);
}

static void use_resolver(unsigned seed)
{
    struct addrinfo *found = NULL;
    struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV};
    (void)seed;
    REQUIRE_EQUAL(getaddrinfo("127.0.0.1", "53", &hints, &found), 0);
    freeaddrinfo(found);
}

static void (*const uses[])(unsigned) = {use_malloc, use_stdio, use_flockfile, use_loader,
                                         use_resolver};

static void *run(void *argument)
{
    unsigned id = (unsigned)(uintptr_t)argument;
    for (unsigned round = 0; round < ROUNDS; round++) {
        uses[(round + id) % (sizeof uses / sizeof uses[0])](round * THREADS + id);
    }
    return NULL;
}

static void check_lines(void)
{
    char line[64];
    rewind(stream);
    while (fgets(line, sizeof line, stream) != NULL) {
        unsigned first, second;
        REQUIRE_EQUAL(strlen(line), 12);
        REQUIRE_EQUAL(sscanf(line, "%u %u", &first, &second), 2);
        REQUIRE_EQUAL(first, second);
    }
}

int main(void)
{
    pthread_t threads[THREADS];
    stream = tmpfile();
    REQUIRE(stream != NULL);
    for (uintptr_t i = 0; i < THREADS; i++) {
        threads[i] = validator_spawn(run, (void *)i);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        validator_join(threads[i]);
    }
    check_lines();
    REQUIRE_EQUAL(fclose(stream), 0);
    return validator_finish();
}
