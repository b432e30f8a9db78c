/* A server's life: load, listen, serve, reload, stop. */
#ifndef RESOLVER_SERVER_H
#define RESOLVER_SERVER_H

#include "core/attributes.h"
#include "core/diag.h"
#include "options.h"

/*
 * Runs the server that the options describe until a signal stops it. Called once, from main's
 * thread, before there are others. 0, or an error with a diag when it could not start.
 */
int server_run(const struct options *options, struct diag *diag) MUST_CHECK;

#endif
