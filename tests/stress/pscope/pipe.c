/* Pipes: blocking reads and writes of any size, end of file, EPIPE, stdio, fds given away. */
#include "validator.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { STAGES = 12, LARGE = 300000 };

struct stage {
    int in, out;
};

/* Each stage passes on what it reads until the end of file. */
static void *pass_on(void *argument)
{
    struct stage *stage = argument;
    char bytes[1000];
    ssize_t count;
    while ((count = read(stage->in, bytes, sizeof bytes)) > 0) {
        REQUIRE_EQUAL(write(stage->out, bytes, (size_t)count), count);
    }
    REQUIRE_EQUAL(count, 0);
    REQUIRE_EQUAL(close(stage->out), 0);
    REQUIRE_EQUAL(close(stage->in), 0);
    return NULL;
}

/* More than a pipe holds in one call: a blocking write writes it all. */
static void *write_large(void *argument)
{
    static unsigned char bytes[LARGE];
    int fd = *(const int *)argument;
    for (unsigned i = 0; i < LARGE; i++) {
        bytes[i] = (unsigned char)(i * 31 / 7);
    }
    struct iovec parts[] = {{bytes, LARGE / 3}, {bytes + LARGE / 3, LARGE - LARGE / 3}};
    REQUIRE_EQUAL(writev(fd, parts, 2), LARGE);
    REQUIRE_EQUAL(close(fd), 0);
    return NULL;
}

static void check_pipeline(void)
{
    struct stage stages[STAGES];
    pthread_t threads[STAGES];
    int fds[2], first;
    unsigned total = 0;
    REQUIRE_EQUAL(pipe(fds), 0);
    first = fds[1];
    for (unsigned i = 0; i < STAGES; i++) {
        stages[i].in = fds[0];
        REQUIRE_EQUAL(pipe(fds), 0);
        stages[i].out = fds[1];
        threads[i] = validator_spawn(pass_on, &stages[i]);
    }
    pthread_t writer = validator_spawn(write_large, &first);
    unsigned char bytes[777];
    ssize_t count;
    while ((count = read(fds[0], bytes, sizeof bytes)) > 0) {
        for (ssize_t i = 0; i < count; i++, total++) {
            REQUIRE_EQUAL(bytes[i], (unsigned char)(total * 31 / 7));
        }
    }
    REQUIRE_EQUAL(total, LARGE);
    validator_join(writer);
    for (unsigned i = 0; i < STAGES; i++) {
        validator_join(threads[i]);
    }
    REQUIRE_EQUAL(close(fds[0]), 0);
}

static void *check_errors(void *argument)
{
    int fds[2];
    char byte = 0;
    REQUIRE_EQUAL(pipe2(fds, O_NONBLOCK), 0);
    REQUIRE_ERRNO(read(fds[0], &byte, 1), EAGAIN);
    while (write(fds[1], "full", 4) == 4) {
    }
    REQUIRE_EQUAL(errno, EAGAIN);
    REQUIRE_EQUAL(close(fds[0]), 0);
    REQUIRE_ERRNO(write(fds[1], "x", 1), EPIPE);
    REQUIRE_EQUAL(close(fds[1]), 0);
    REQUIRE_ERRNO(read(fds[0], &byte, 1), EBADF);
    REQUIRE_ERRNO(write(fds[1], &byte, 1), EBADF);
    return argument;
}

static void *write_later(void *argument)
{
    validator_sleep_ms(5);
    REQUIRE_EQUAL(write(*(const int *)argument, "a line\n", 7), 7);
    return NULL;
}

/* The read happens inside of libc, where no library can step between. */
static void *read_line(void *argument)
{
    char line[16] = "";
    FILE *stream = fdopen(*(const int *)argument, "r");
    REQUIRE(stream != NULL);
    REQUIRE(fgets(line, sizeof line, stream) == line);
    REQUIRE(strcmp(line, "a line\n") == 0);
    REQUIRE_EQUAL(fclose(stream), 0);
    return NULL;
}

static void check_stdio(void)
{
    int pairs[6][2];
    pthread_t readers[6], writers[6];
    for (unsigned i = 0; i < 6; i++) {
        REQUIRE_EQUAL(pipe(pairs[i]), 0);
        readers[i] = validator_spawn(read_line, &pairs[i][0]);
    }
    for (unsigned i = 0; i < 6; i++) {
        writers[i] = validator_spawn(write_later, &pairs[i][1]);
    }
    for (unsigned i = 0; i < 6; i++) {
        validator_join(readers[i]);
        validator_join(writers[i]);
        REQUIRE_EQUAL(close(pairs[i][1]), 0);
    }
}

/* The same number may be another file after close: nothing of the old one may stick to it. */
static void check_reused_numbers(void)
{
    for (unsigned round = 0; round < 20; round++) {
        int fds[2];
        REQUIRE_EQUAL(pipe(fds), 0);
        pthread_t writer = validator_spawn(write_later, &fds[1]);
        char bytes[8];
        REQUIRE_EQUAL(read(fds[0], bytes, sizeof bytes), 7);
        validator_join(writer);
        REQUIRE_EQUAL(close(fds[0]), 0);
        REQUIRE_EQUAL(close(fds[1]), 0);
    }
}

int main(void)
{
    REQUIRE(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
    check_pipeline();
    validator_join(validator_spawn(check_errors, NULL));
    check_stdio();
    check_reused_numbers();
    return validator_finish();
}
