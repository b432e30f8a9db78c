#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/error.h"
#include "sweep/probe.h"
#include "sweep/ready.h"
#include "sweep/target.h"
#include "system/interrupt.h"

/* A question every so often: a closed port says no at once, a busy server may be slow. */
#define ASK_EVERY_MS 5

/* How long an answer of somebody else's kind is taken for that of a server that is not set up yet.
 */
#define FOREIGN_GRACE_US (UINT64_C(2000) * 1000)

struct wait {
    const struct process *process;
    struct probe probe;
    int fd;
    uint64_t begin_ns;
    enum probe_verdict last; /* of the answers so far, the last one that counts */
};

static int open_socket(unsigned port, struct diag *diag)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    inet_pton(AF_INET, TARGET_ADDRESS, &address.sin_addr);
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
        diag_fail_errno(diag, NULL, "cannot ask the target at %s:%u", TARGET_ADDRESS, port);
        if (fd >= 0) {
            close(fd);
        }
        return ERR_SYSTEM;
    }
    return fd;
}

/* Looks at what has come; true when the right server answered. */
static bool read_answers(struct wait *wait)
{
    uint8_t reply[DNS_UDP_MAX_BYTES];
    ssize_t size;
    while ((size = recv(wait->fd, reply, sizeof(reply), 0)) >= 0 || errno == ECONNREFUSED) {
        if (size < 0) {
            continue;
        }
        enum probe_verdict verdict = probe_judge(&wait->probe, reply, (size_t)size);
        if (verdict == PROBE_RIGHT) {
            return true;
        }
        wait->last = verdict == PROBE_NOISE ? wait->last : verdict;
    }
    return false;
}

/* One question and a short wait: 0 when answered, ERR_TIMEOUT to ask again, or a failure. */
static int ask_once(struct wait *wait, struct diag *diag)
{
    struct pollfd fds[] = {
        {.fd = wait->fd, .events = POLLIN},
        {.fd = wait->process->pid_fd, .events = POLLIN},
        {.fd = interrupt_fd(), .events = POLLIN},
    };
    uint64_t until_ns = clock_monotonic_ns() + ASK_EVERY_MS * NS_PER_MS;
    (void)send(wait->fd, wait->probe.query, wait->probe.size, 0);
    do {
        poll(fds, ARRAY_LENGTH(fds), ASK_EVERY_MS);
        if (interrupt_pending()) {
            return diag_fail(diag, ERR_INTERRUPTED, NULL, 0, "interrupted");
        }
        if (fds[1].revents != 0) {
            return diag_fail(diag, ERR_TARGET, NULL, 0,
                             "the target ended before it answered a query");
        }
        if (read_answers(wait)) {
            return 0;
        }
        if (fds[0].revents & POLLERR) {
            /* Nobody listens yet: the socket would be ready again and again. */
            fds[0].fd = -1;
        }
    } while (clock_monotonic_ns() < until_ns);
    return ERR_TIMEOUT;
}

static int ask(struct wait *wait, const char *origin, uint64_t timeout_us, struct diag *diag)
{
    for (;;) {
        int status = ask_once(wait, diag);
        if (status != ERR_TIMEOUT) {
            return status;
        }
        uint64_t waited_us = (clock_monotonic_ns() - wait->begin_ns) / NS_PER_US;
        if (wait->last == PROBE_FOREIGN && waited_us > FOREIGN_GRACE_US) {
            return diag_fail(diag, ERR_TARGET, NULL, 0,
                             "the server that answers is not authoritative for the zone %s",
                             origin);
        }
        if (waited_us > timeout_us) {
            return diag_fail(diag, ERR_TARGET, NULL, 0, "%.0f s after its start the target %s",
                             (double)waited_us / 1e6,
                             wait->last == PROBE_LOADING ? "has not loaded its zone (SERVFAIL)"
                                                         : "answers no query");
        }
    }
}

int ready_wait(const struct process *process, unsigned port, const char *origin,
               uint64_t timeout_us, struct diag *diag)
{
    struct wait wait = {.process = process, .begin_ns = clock_monotonic_ns(), .last = PROBE_NOISE};
    int status = probe_make(origin, (uint16_t)process->pid, &wait.probe, diag);
    if (status != 0) {
        return status;
    }
    wait.fd = open_socket(port, diag);
    if (wait.fd < 0) {
        return wait.fd;
    }
    status = ask(&wait, origin, timeout_us, diag);
    close(wait.fd);
    return status;
}
