#include "system/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "command.h"

/* Written by the signal handler, which has no other way to reach anybody. */
static volatile sig_atomic_t pending;
static int event_fd = -1;
static volatile sig_atomic_t deferred;

static void end_at_once(void)
{
    static const char line[] = "dnscope: interrupted\n";
    ssize_t ignored = write(STDERR_FILENO, line, sizeof(line) - 1);
    (void)ignored;
    _exit(STATUS_INTERRUPTED);
}

static void take_signal(int number)
{
    (void)number;
    if (!deferred) {
        end_at_once();
    }
    int saved_errno = errno;
    uint64_t one = 1;
    pending = 1;
    /* Only a full counter could fail, and that one is readable. */
    ssize_t ignored = write(event_fd, &one, sizeof(one));
    (void)ignored;
    errno = saved_errno;
}

static int install_one(int number, struct diag *diag)
{
    struct sigaction action;
    if (sigaction(number, NULL, &action) != 0) {
        return diag_fail_errno(diag, NULL, "cannot read the disposition of signal %d", number);
    }
    /* nohup(1), and a shell's background job, ask to be left alone. */
    if (action.sa_handler == SIG_IGN && number != SIGTERM) {
        return 0;
    }
    action = (struct sigaction){.sa_handler = take_signal};
    if (sigaction(number, &action, NULL) != 0) {
        return diag_fail_errno(diag, NULL, "cannot handle signal %d", number);
    }
    return 0;
}

int interrupt_install(struct diag *diag)
{
    if (event_fd < 0) {
        event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    }
    if (event_fd < 0) {
        return diag_fail_errno(diag, NULL, "cannot make an event descriptor");
    }
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    int status = 0;
    for (size_t i = 0; i < ARRAY_LENGTH(signals) && status == 0; i++) {
        status = install_one(signals[i], diag);
    }
    return status;
}

void interrupt_defer(void)
{
    deferred = 1;
}

bool interrupt_pending(void)
{
    return pending != 0;
}

int interrupt_fd(void)
{
    return event_fd;
}
