/* Threads that each receive, answer and send by themselves: what the models without a queue have
 * in common. They differ in how many socket sets their workers share. */
#ifndef RESOLVER_SOCKET_WORKERS_H
#define RESOLVER_SOCKET_WORKERS_H

#include "model.h"

/* Opens `set_count` socket sets; worker i serves set i % set_count. As model's open. */
int socket_workers_open(const struct model_setup *setup, unsigned set_count, void **state,
                        struct diag *diag) MUST_CHECK;

/* As model's start and close. */
int socket_workers_start(void *state, struct diag *diag) MUST_CHECK;
void socket_workers_close(void *state);

#endif
