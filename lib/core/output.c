#include "core/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"

/* Whether both are the same, and more than a place where bytes vanish. */
static bool is_standard_output(int fd)
{
    struct stat file;
    struct stat standard;
    if (fstat(fd, &file) != 0 || fstat(STDOUT_FILENO, &standard) != 0) {
        return false;
    }
    bool keeps_bytes = !S_ISCHR(file.st_mode) || isatty(fd);
    return keeps_bytes && file.st_dev == standard.st_dev && file.st_ino == standard.st_ino;
}

/* Without O_CREAT first: the kernel may refuse that for others' FIFOs in a sticky folder. */
static int open_path(const char *path)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT) {
        fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    }
    return fd;
}

int output_open(struct output *output, const char *path, struct diag *diag)
{
    *output = (struct output){.path = path, .fd = STDOUT_FILENO, .is_stdout = true};
    if (strcmp(path, "-") == 0) {
        output->path = "(standard output)";
        return 0;
    }
    struct stat before;
    output->is_new = lstat(path, &before) != 0;
    output->fd = open_path(path);
    if (output->fd < 0) {
        return diag_fail_errno(diag, path, "cannot write");
    }
    output->is_stdout = is_standard_output(output->fd);
    if (output->is_stdout) {
        close(output->fd);
        output->fd = STDOUT_FILENO;
    }
    return 0;
}

static int replace_content(int fd, const void *data, size_t size)
{
    struct stat info;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && ftruncate(fd, 0) != 0) {
        return -1;
    }
    return file_write_fd(fd, data, size);
}

int output_write(struct output *output, const void *data, size_t size, struct diag *diag)
{
    if (output->is_stdout) {
        int failed = fflush(stdout) != 0 || file_write_fd(STDOUT_FILENO, data, size) != 0;
        return failed ? diag_fail_errno(diag, output->path, "cannot write") : 0;
    }
    int failed = replace_content(output->fd, data, size);
    int saved_errno = errno;
    if (close(output->fd) != 0 && failed == 0) {
        failed = -1;
    } else {
        errno = saved_errno;
    }
    output->fd = -1;
    return failed != 0 ? diag_fail_errno(diag, output->path, "cannot write") : 0;
}

void output_discard(struct output *output)
{
    if (output->is_stdout || output->fd < 0) {
        return;
    }
    close(output->fd);
    output->fd = -1;
    if (output->is_new) {
        unlink(output->path);
    }
}
