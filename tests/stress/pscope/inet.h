/* Loopback sockets for the validators: ports are the kernel's choice. */
#ifndef TESTS_STRESS_PSCOPE_INET_H
#define TESTS_STRESS_PSCOPE_INET_H

#include <netinet/in.h>

/* A bound socket of `type` (SOCK_DGRAM, SOCK_STREAM, with SOCK_NONBLOCK or not) and its address. */
int inet_bound(int type, struct sockaddr_in *address);

/* The two ends of a TCP connection. */
void inet_connected_pair(int ends[2]);

#endif
