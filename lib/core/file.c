#include "core/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"

#define READ_STEP_BYTES ((size_t)64 * 1024)

void bytes_free(struct bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct bytes){0};
}

/* Reads until end of file; the buffer doubles, with one byte kept for the NUL. */
static int read_until_end(int fd, const char *path, struct bytes *out, struct diag *diag)
{
    size_t capacity = 0;
    for (;;) {
        if (capacity - out->size < READ_STEP_BYTES) {
            capacity = capacity == 0 ? 2 * READ_STEP_BYTES : 2 * capacity;
            char *grown = realloc(out->data, capacity);
            if (grown == NULL) {
                return diag_fail(diag, ERR_MEMORY, path, 0, "too large for this machine's memory");
            }
            out->data = grown;
        }
        ssize_t count = read(fd, out->data + out->size, capacity - out->size - 1);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return diag_fail_errno(diag, path, "cannot read");
        }
        out->size += (size_t)count;
        out->data[out->size] = '\0';
        if (count == 0) {
            return 0;
        }
    }
}

int file_read_all(const char *path, struct bytes *out, struct diag *diag)
{
    *out = (struct bytes){0};
    int is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return diag_fail_errno(diag, path, "cannot open");
    }
    int status = read_until_end(fd, is_stdin ? "(standard input)" : path, out, diag);
    if (!is_stdin) {
        close(fd);
    }
    if (status != 0) {
        bytes_free(out);
    }
    return status;
}

int file_write_fd(int fd, const void *data, size_t size)
{
    const char *from = data;
    while (size > 0) {
        ssize_t count = write(fd, from, size);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return -1;
        }
        from += count;
        size -= (size_t)count;
    }
    return 0;
}

/* Writes, fsyncs and closes; the first errno of the three is the one reported. */
static int finish_write(int fd, const void *data, size_t size)
{
    int failed = file_write_fd(fd, data, size) != 0 || fsync(fd) != 0;
    int saved_errno = errno;
    if (close(fd) != 0 && !failed) {
        return -1;
    }
    errno = saved_errno;
    return failed ? -1 : 0;
}

/* A name that no other writer has, beside `path`, which may be as long as names can be. */
static int name_temporary(const char *path, char *temporary, size_t size)
{
    static atomic_uint count;
    const char *slash = strrchr(path, '/');
    int folder_length = slash == NULL ? 0 : (int)(slash - path) + 1;
    int length = snprintf(temporary, size, "%.*s.dnscope-%ld-%u.tmp", folder_length, path,
                          (long)getpid(), atomic_fetch_add(&count, 1));
    return length < 0 || (size_t)length >= size ? -1 : 0;
}

/* The mode of the file that is replaced, or what the umask makes of a new one. */
static int open_temporary(const char *path, const char *temporary)
{
    struct stat old;
    int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 && stat(path, &old) == 0 && S_ISREG(old.st_mode)) {
        /* Without the right to it the new file has the mode of a new file. */
        int ignored = fchmod(fd, old.st_mode & 07777);
        (void)ignored;
    }
    return fd;
}

int file_write_atomic(const char *path, const void *data, size_t size, struct diag *diag)
{
    char temporary[4096];
    int fd;
    do {
        if (name_temporary(path, temporary, sizeof(temporary)) != 0) {
            return diag_fail(diag, ERR_RANGE, path, 0, "path is too long");
        }
        fd = open_temporary(path, temporary);
    } while (fd < 0 && errno == EEXIST);
    if (fd < 0) {
        return diag_fail_errno(diag, path, "cannot write");
    }
    if (finish_write(fd, data, size) != 0 || rename(temporary, path) != 0) {
        diag_fail_errno(diag, path, "cannot write");
        unlink(temporary);
        return ERR_SYSTEM;
    }
    return 0;
}

int file_append_synced(const char *path, const void *data, size_t size, struct diag *diag)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (fd < 0 || finish_write(fd, data, size) != 0) {
        return diag_fail_errno(diag, path, "cannot append");
    }
    return 0;
}
