#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "core/number.h"
#include "system/proc_children.h"
#include "system/proc_stat.h"

static void kill_if_child(pid_t pid)
{
    char path[64];
    char text[1024];
    struct proc_stat stat;
    snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;
    if (fd >= 0) {
        close(fd);
    }
    if (size <= 0) {
        return;
    }
    text[size] = '\0';
    if (proc_stat_parse(text, &stat) == 0 && stat.parent == getpid()) {
        kill(pid, SIGKILL);
    }
}

/* Every process is asked for its parent: not all kernels offer a list of children. */
void proc_children_kill(void)
{
    DIR *folder = opendir("/proc");
    if (folder == NULL) {
        return;
    }
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        uint64_t pid = 0;
        if (number_parse_u64(entry->d_name, 1, INT32_MAX, &pid) == 0) {
            kill_if_child((pid_t)pid);
        }
    }
    closedir(folder);
}
