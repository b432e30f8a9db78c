/* UDP and TCP ports of the loopback address for a target. Any thread. */
#ifndef SWEEP_PORT_H
#define SWEEP_PORT_H

#include "core/attributes.h"
#include "core/diag.h"

/* A port that was free a moment ago for both protocols. 0, or ERR_SYSTEM. */
int port_choose(unsigned *port, struct diag *diag) MUST_CHECK;

/* 0 when nobody has the port; ERR_EXISTS when somebody has, ERR_SYSTEM when we may not ask (ports
 * below 1024 belong to root). */
int port_check_free(unsigned port, struct diag *diag) MUST_CHECK;

#endif
