/* The subcommands of dnscope and what they share: exit statuses and the common options' manner. */
#ifndef BENCH_COMMAND_H
#define BENCH_COMMAND_H

enum exit_status {
    STATUS_OK = 0,
    STATUS_FATAL = 1,     /* wrong usage, wrong input, or this machine refused something */
    STATUS_TARGET = 2,    /* the server under test failed */
    STATUS_THRESHOLD = 3, /* a threshold that was asked for was missed */
    STATUS_INTERRUPTED = 130,
};

/*
 * A subcommand: argv[0] is its own name ("load"), as getopt(3) wants it. Returns an exit status.
 * Called once, from main's thread, before any other thread exists.
 */
typedef int command_fn(int argc, char **argv);

command_fn command_compare;
command_fn command_cpus;
command_fn command_exec;
command_fn command_load;
command_fn command_report;
command_fn command_sweep;

#endif
