/*
 * The poller: one epoll set for all descriptors that user threads wait for. A descriptor is
 * registered once, edge-triggered, and stays until it is closed, so a wait costs no system call.
 *
 * Order of a wait: poller_watch() notes the descriptor's event count, the caller tries its
 * non-blocking call, and poller_wait() parks only if the count is still the same. An event that
 * comes after the try either changes the count or finds the waiter.
 */
#ifndef PSCOPE_POLLER_H
#define PSCOPE_POLLER_H

#include <stdbool.h>
#include <sys/epoll.h>

#include "pscope/uthread.h"

enum direction {
    DIRECTION_IN,
    DIRECTION_OUT,
};

/* One thread's interest in one direction of one descriptor; lives on the waiter's stack. */
struct poller_watch {
    struct ring_link link;
    struct uthread *thread;
    int fd;
    enum direction direction;
    unsigned seen;
    bool consumes; /* takes what made it ready: an event wakes one such waiter, but all others */
};

/* Creates the epoll set; false when the system refuses. */
bool poller_start(void);

/* Whether the poller can watch this number at all. */
bool poller_covers(int fd);

void poller_watch(struct poller_watch *watch, int fd, enum direction direction, bool consumes);

/*
 * Parks the caller, aboard, until an event on one of the watches, the deadline, or attention
 * among `heed`. WAKE_OBJECT also stands for "try again". Switches threads.
 * WAKE_ARMED: one of the descriptors cannot be watched (a regular file); nothing was waited for.
 */
enum wake poller_wait(struct uthread *self, struct poller_watch *watches, unsigned count,
                      uint64_t deadline_ns, unsigned heed);

/* A consumer that was woken has taken something: the next one may find more. */
void poller_pass_on(int fd, enum direction direction);

/* The number is about to be closed, or given to another file: its waiters try again. */
void poller_closing(int fd);
/* The number was just given to a new file, perhaps after a close that we did not see. */
int poller_opened(int fd);

/* Whether the file blocks (no O_NONBLOCK); asks the kernel only after a change somewhere. */
bool poller_blocking(int fd);
/*
 * Whether the reading side of this socket was seen shut down. Of a datagram socket shutdown(2) ends
 * blocking receives with 0, while non-blocking ones go on to answer EAGAIN.
 */
bool poller_shut(int fd);
/* Somebody may have changed O_NONBLOCK on some file. */
void poller_flags_changed(void);

/* What kind of file it is, for the choice of a non-blocking call. */
enum poller_kind {
    POLLER_KIND_UNKNOWN,
    POLLER_KIND_SOCKET,
    POLLER_KIND_DISK,  /* a regular file, folder or block device: never "not ready" */
    POLLER_KIND_OTHER, /* a pipe, terminal, eventfd and so on */
};
enum poller_kind poller_kind(int fd);

/* Whether any registered descriptor may have events that somebody waits for. */
bool poller_needed(void);

/* What one look at the poller found. */
#define POLLER_EVENTS 64
struct poller_events {
    unsigned count;
    struct epoll_event events[POLLER_EVENTS];
};

/*
 * Collects events until `deadline_ns` (0: without sleeping) or poller_kick(). No user thread is
 * touched.
 */
void poller_sleep(struct poller_events *events, uint64_t deadline_ns);

/*
 * Wakes the waiters of these events, for the queue of `here` (NULL: the global one). True when a
 * poller_kick() was among them.
 */
bool poller_deliver(const struct poller_events *events, struct carrier *here);

/* Ends one carrier's poller_sleep(). Any kernel thread; async-signal-safe. */
void poller_kick(void);

/* Forgets all: in the child of a fork. */
void poller_forget(void);

#endif
