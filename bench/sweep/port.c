#include "sweep/port.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/error.h"
#include "sweep/target.h"

#define ATTEMPTS 32

/* A socket of `type` bound to the port (0: any) without sharing it; -1 with errno. */
static int bind_port(int type, unsigned port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    inet_pton(AF_INET, TARGET_ADDRESS, &address.sin_addr);
    int fd = socket(AF_INET, type | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return -1;
    }
    /* For TCP this passes over connections of the past; a listener still refuses. */
    int reuse = type == SOCK_STREAM;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof(reuse));
    if (bind(fd, (struct sockaddr *)&address, sizeof(address)) != 0) {
        int saved_errno = errno;
        close(fd);
        errno = saved_errno;
        return -1;
    }
    return fd;
}

static int bound_port(int fd, unsigned *port)
{
    struct sockaddr_in address = {0};
    socklen_t size = sizeof(address);
    if (getsockname(fd, (struct sockaddr *)&address, &size) != 0) {
        return -1;
    }
    *port = ntohs(address.sin_port);
    return 0;
}

int port_choose(unsigned *port, struct diag *diag)
{
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        int udp = bind_port(SOCK_DGRAM, 0);
        int tcp = udp >= 0 && bound_port(udp, port) == 0 ? bind_port(SOCK_STREAM, *port) : -1;
        if (udp >= 0) {
            close(udp);
        }
        if (tcp >= 0) {
            close(tcp);
            return 0;
        }
    }
    return diag_fail_errno(diag, NULL, "no free port on %s", TARGET_ADDRESS);
}

int port_check_free(unsigned port, struct diag *diag)
{
    static const int types[] = {SOCK_DGRAM, SOCK_STREAM};
    for (size_t i = 0; i < ARRAY_LENGTH(types); i++) {
        int fd = bind_port(types[i], port);
        if (fd >= 0) {
            close(fd);
            continue;
        }
        if (errno == EADDRINUSE) {
            return diag_fail(diag, ERR_EXISTS, NULL, 0,
                             "port %u (%s) of %s is in use before the target starts; stop the "
                             "server that has it, or leave target.port out to have a free one",
                             port, types[i] == SOCK_DGRAM ? "UDP" : "TCP", TARGET_ADDRESS);
        }
        return diag_fail_errno(diag, NULL, "port %u of %s cannot be used%s", port, TARGET_ADDRESS,
                               errno == EACCES ? " (those below 1024 need root)" : "");
    }
    return 0;
}
