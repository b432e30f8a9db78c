#include "system/script.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"

/* As much of a first line as Linux looks at (BINPRM_BUF_SIZE). */
#define LINE_SIZE 256

const char *script_interpreter(char *head)
{
    char *name = head + 2 + strspn(head + 2, " \t");
    name[strcspn(name, " \t\n")] = '\0';
    return name;
}

int script_check(const char *path, struct diag *diag)
{
    char head[LINE_SIZE + 1];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd >= 0 ? pread(fd, head, LINE_SIZE, 0) : -1;
    if (fd >= 0) {
        close(fd);
    }
    if (size < 2 || memcmp(head, "#!", 2) != 0) {
        return 0;
    }
    head[size] = '\0';
    const char *name = script_interpreter(head);
    struct stat info;
    if (name[0] == '\0') {
        return 0; /* execve(2) has its own word for it */
    }
    if (stat(name, &info) != 0) {
        return diag_fail(diag, errno == ENOENT ? ERR_NOT_FOUND : ERR_SYSTEM, path, 1,
                         "a script whose interpreter \"%s\" cannot be found: %s", name,
                         strerror(errno));
    }
    if (!S_ISREG(info.st_mode) || access(name, X_OK) != 0) {
        return diag_fail(diag, ERR_SYSTEM, path, 1,
                         "a script whose interpreter \"%s\" is no executable file", name);
    }
    return 0;
}
