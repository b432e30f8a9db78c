#include "inet.h"

#include "validator.h"

#include <sys/socket.h>
#include <unistd.h>

int inet_bound(int type, struct sockaddr_in *address)
{
    socklen_t length = sizeof *address;
    int fd = socket(AF_INET, type, 0);
    REQUIRE(fd >= 0);
    *address =
        (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    REQUIRE_EQUAL(bind(fd, (struct sockaddr *)address, length), 0);
    REQUIRE_EQUAL(getsockname(fd, (struct sockaddr *)address, &length), 0);
    return fd;
}

void inet_connected_pair(int ends[2])
{
    struct sockaddr_in address;
    int listener = inet_bound(SOCK_STREAM, &address);
    REQUIRE_EQUAL(listen(listener, 1), 0);
    ends[0] = socket(AF_INET, SOCK_STREAM, 0);
    REQUIRE_EQUAL(connect(ends[0], (struct sockaddr *)&address, sizeof address), 0);
    ends[1] = accept(listener, NULL, NULL);
    REQUIRE(ends[1] >= 0);
    REQUIRE_EQUAL(close(listener), 0);
}
