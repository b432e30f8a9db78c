#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/error.h"
#include "sockets.h"

/* Time for a thread to end after a wake-up, before it is sent another one. */
#define WAKE_AGAIN_NS (20 * 1000 * 1000)

/* Asked for, and cut by the kernel to net.core.rmem_max: room for a burst while a worker works. */
#define RECEIVE_BUFFER_BYTES (4 * 1024 * 1024)

void address_format(const struct address *address, char text[ADDRESS_TEXT_SIZE])
{
    char host[INET6_ADDRSTRLEN] = "?";
    unsigned port = 0;
    if (address->sockaddr.ss_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, &address->sockaddr, sizeof(in));
        inet_ntop(AF_INET, &in.sin_addr, host, sizeof(host));
        port = ntohs(in.sin_port);
    } else {
        struct sockaddr_in6 in6;
        memcpy(&in6, &address->sockaddr, sizeof(in6));
        inet_ntop(AF_INET6, &in6.sin6_addr, host, sizeof(host));
        port = ntohs(in6.sin6_port);
    }
    snprintf(text, ADDRESS_TEXT_SIZE, "%s#%u", host, port);
}

static int fail_bind(const struct address *address, int fd, struct diag *diag)
{
    int saved_errno = errno;
    char text[ADDRESS_TEXT_SIZE];
    address_format(address, text);
    if (fd >= 0) {
        close(fd);
    }
    errno = saved_errno;
    const char *advice = "";
    if (saved_errno == EADDRINUSE) {
        advice = " (another server is there; stop it or choose another port with -p)";
    } else if (saved_errno == EACCES) {
        advice = " (ports below 1024 need root; choose another with -p)";
    }
    return diag_fail_errno(diag, NULL, "cannot listen on %s%s", text, advice);
}

static int set_on(int fd, int level, int option)
{
    int on = 1;
    return setsockopt(fd, level, option, &on, sizeof(on));
}

/* A socket bound to the address, or a negative error. */
static int open_bound(const struct address *address, bool reuse_port, struct diag *diag)
{
    int fd = socket(address->sockaddr.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || (reuse_port && set_on(fd, SOL_SOCKET, SO_REUSEPORT) != 0) ||
        (address->sockaddr.ss_family == AF_INET6 && set_on(fd, IPPROTO_IPV6, IPV6_V6ONLY) != 0) ||
        bind(fd, (const struct sockaddr *)&address->sockaddr, address->length) != 0) {
        return fail_bind(address, fd, diag);
    }
    int bytes = RECEIVE_BUFFER_BYTES;
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
    return fd;
}

int sockets_check_free(const struct address *addresses, size_t count, struct diag *diag)
{
    for (size_t i = 0; i < count; i++) {
        int fd = open_bound(&addresses[i], false, diag);
        if (fd < 0) {
            return fd;
        }
        close(fd);
    }
    return 0;
}

int socket_set_open(struct socket_set *set, const struct address *addresses, size_t count,
                    bool reuse_port, struct diag *diag)
{
    set->count = 0;
    set->fds = calloc(count, sizeof(set->fds[0]));
    if (set->fds == NULL) {
        return diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
    }
    for (; set->count < count; set->count++) {
        int fd = open_bound(&addresses[set->count], reuse_port, diag);
        if (fd < 0) {
            return fd;
        }
        set->fds[set->count] = fd;
    }
    return 0;
}

void socket_set_close(struct socket_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        close(set->fds[i]);
    }
    free(set->fds);
    *set = (struct socket_set){0};
}

#ifdef __SANITIZE_THREAD__
/* ThreadSanitizer takes connect() for the making of a new descriptor, and so for a race with the
 * thread that receives from it. */
const char *__tsan_default_suppressions(void);

const char *__tsan_default_suppressions(void)
{
    return "race:socket_wake\n";
}
#endif

void socket_wake(int fd)
{
    struct sockaddr_storage self;
    socklen_t length = sizeof(self);
    if (getsockname(fd, (struct sockaddr *)&self, &length) == 0 &&
        connect(fd, (const struct sockaddr *)&self, length) == 0) {
        (void)send(fd, "", 0, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
}

void socket_wake_and_join(int fd, pthread_t thread)
{
    struct timespec until;
    do {
        socket_wake(fd);
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += WAKE_AGAIN_NS;
        until.tv_sec += until.tv_nsec / (long)NS_PER_S;
        until.tv_nsec %= (long)NS_PER_S;
    } while (pthread_timedjoin_np(thread, NULL, &until) == ETIMEDOUT);
}
