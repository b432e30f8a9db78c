/* Several threads on one descriptor: each datum goes to one; both directions; close and dup2. */
#include "validator.h"

#include <pthread.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

enum { READERS = 6, ITEMS = 600, ROUNDS = 20 };

static int pipe_fds[2];
static unsigned seen[ITEMS]; /* changed atomically */

static void *read_items(void *argument)
{
    uint32_t item;
    ssize_t count;
    while ((count = read(pipe_fds[0], &item, sizeof item)) == sizeof item) {
        REQUIRE(item < ITEMS);
        REQUIRE_EQUAL(__atomic_fetch_add(&seen[item], 1, __ATOMIC_SEQ_CST), 0);
    }
    REQUIRE_EQUAL(count, 0); /* the end of file reaches every reader */
    return argument;
}

static void check_each_item_once(void)
{
    pthread_t readers[READERS];
    REQUIRE_EQUAL(pipe(pipe_fds), 0);
    for (unsigned i = 0; i < READERS; i++) {
        readers[i] = validator_spawn(read_items, NULL);
    }
    for (uint32_t item = 0; item < ITEMS; item++) {
        REQUIRE_EQUAL(write(pipe_fds[1], &item, sizeof item), sizeof item);
        if (item % 50 == 0) {
            validator_sleep_ms(1);
        }
    }
    REQUIRE_EQUAL(close(pipe_fds[1]), 0);
    for (unsigned i = 0; i < READERS; i++) {
        validator_join(readers[i]);
    }
    for (unsigned i = 0; i < ITEMS; i++) {
        REQUIRE_EQUAL(seen[i], 1);
    }
    REQUIRE_EQUAL(close(pipe_fds[0]), 0);
}

static void *send_much(void *argument)
{
    static const char block[10000];
    int fd = *(const int *)argument;
    for (unsigned round = 0; round < ROUNDS * 5; round++) {
        REQUIRE_EQUAL(send(fd, block, sizeof block, 0), sizeof block);
    }
    REQUIRE_EQUAL(shutdown(fd, SHUT_WR), 0);
    return NULL;
}

static void *receive_much(void *argument)
{
    char block[4096];
    int fd = *(const int *)argument;
    size_t total = 0;
    ssize_t count;
    while ((count = recv(fd, block, sizeof block, 0)) > 0) {
        total += (size_t)count;
    }
    REQUIRE_EQUAL(total, (size_t)ROUNDS * 5 * 10000);
    return NULL;
}

/* One thread waits to read and another to write on the same socket, at both ends. */
static void check_both_directions(void)
{
    int ends[2];
    pthread_t threads[4];
    REQUIRE_EQUAL(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    for (unsigned i = 0; i < 4; i++) {
        threads[i] = validator_spawn(i < 2 ? send_much : receive_much, &ends[i % 2]);
    }
    for (unsigned i = 0; i < 4; i++) {
        validator_join(threads[i]);
    }
    REQUIRE_EQUAL(close(ends[0]), 0);
    REQUIRE_EQUAL(close(ends[1]), 0);
}

static void *read_byte(void *argument)
{
    char byte = 0;
    REQUIRE_EQUAL(read(*(const int *)argument, &byte, 1), 1);
    return (void *)(intptr_t)byte;
}

/* The number stays and the file behind it changes, by close and pipe or by dup2. */
static void check_changed_files(void)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        int first[2], second[2];
        REQUIRE_EQUAL(pipe(first), 0);
        pthread_t reader = validator_spawn(read_byte, &first[0]);
        sched_yield();
        REQUIRE_EQUAL(write(first[1], "a", 1), 1);
        REQUIRE_EQUAL((intptr_t)validator_join(reader), 'a');
        REQUIRE_EQUAL(pipe(second), 0);
        REQUIRE_EQUAL(dup2(second[0], first[0]), first[0]);
        reader = validator_spawn(read_byte, &first[0]);
        validator_sleep_ms(1);
        REQUIRE_EQUAL(write(second[1], "b", 1), 1);
        REQUIRE_EQUAL((intptr_t)validator_join(reader), 'b');
        REQUIRE_EQUAL(close(second[0]), 0); /* the other number of the same pipe */
        reader = validator_spawn(read_byte, &first[0]);
        validator_sleep_ms(1);
        REQUIRE_EQUAL(write(second[1], "c", 1), 1);
        REQUIRE_EQUAL((intptr_t)validator_join(reader), 'c');
        REQUIRE_EQUAL(close(first[0]), 0);
        REQUIRE_EQUAL(close(first[1]), 0);
        REQUIRE_EQUAL(close(second[1]), 0);
    }
}

int main(void)
{
    check_each_item_once();
    check_both_directions();
    check_changed_files();
    return validator_finish();
}
