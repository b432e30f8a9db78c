/*
 * Which CPUs the server under test and the load client get: a pure function of the topology and
 * of what the setup asks for.
 */
#ifndef CPU_PLACEMENT_H
#define CPU_PLACEMENT_H

#include "core/attributes.h"
#include "core/diag.h"
#include "cpu/cpu_set.h"
#include "cpu/topology.h"

enum placement_policy {
    PLACEMENT_ANY,           /* every usable CPU for both: nothing is pinned */
    PLACEMENT_SAME_SOCKET,   /* both on one socket */
    PLACEMENT_SPLIT_SOCKETS, /* each on a socket of its own */
    PLACEMENT_SOCKET_OFF,    /* both on one socket, every other one offline */
    PLACEMENT_EXPLICIT,      /* the masks that the request holds */
};

enum smt_policy {
    SMT_ON,      /* siblings may be used */
    SMT_MASK,    /* all but the first usable CPU of each core are left out of both masks */
    SMT_OFFLINE, /* they are offline for everybody */
};

enum confine_policy {
    CONFINE_NONE,
    CONFINE_VCPUS, /* the server's mask has exactly as many CPUs as virtual CPUs were asked for */
};

enum placement_flag {
    PLACEMENT_SHARED_CORE = 1 << 0,     /* a core serves both sides */
    PLACEMENT_CORES_UNKNOWN = 1 << 1,   /* no siblings shown: each CPU was taken for a core */
    PLACEMENT_SOCKETS_UNKNOWN = 1 << 2, /* no socket numbers shown: taken for one socket */
    PLACEMENT_SOCKET_PER_CPU = 1 << 3,  /* as many sockets as cores, as some virtual machines
                                           show: same-socket takes them for one */
};

struct placement_request {
    enum placement_policy policy;
    enum smt_policy smt;
    enum confine_policy confine;
    unsigned vcpus;          /* CPUs that the server must be able to use at once; at least 1 */
    unsigned client_threads; /* cores that the client would like; at least 1 */
    struct cpu_set server;   /* PLACEMENT_EXPLICIT only */
    struct cpu_set client;
};

struct placement {
    struct cpu_set server;
    struct cpu_set client;
    unsigned flags; /* enum placement_flag */
};

/*
 * The rule: on its socket the client gets its cores from the end and the server the others. Where
 * fewer than `vcpus` CPUs would be left, the client keeps them and the server gets as many of
 * them, from the start, as it lacks: PLACEMENT_SHARED_CORE. Among a server's CPUs, confinement
 * takes one of each core before second siblings.
 *
 * 0; ERR_UNSUPPORTED when this machine cannot do it (too few CPUs, one socket, a CPU that is not
 * usable) or when the policy would change the machine for everybody. Pure, any thread.
 */
int placement_compute(const struct topology *topology, const struct placement_request *request,
                      struct placement *placement, struct diag *diag) MUST_CHECK;

/*
 * The names that experiment files and options use: "any", "same-socket", "split-sockets",
 * "socket-off" (explicit masks have none); "on", "mask", "offline"; "none", "vcpus".
 * 0 or ERR_NOT_FOUND; the caller knows the place for a diag. Static storage.
 */
int placement_policy_parse(const char *name, enum placement_policy *policy) MUST_CHECK;
int smt_policy_parse(const char *name, enum smt_policy *smt) MUST_CHECK;
int confine_policy_parse(const char *name, enum confine_policy *confine) MUST_CHECK;
const char *placement_policy_name(enum placement_policy policy);
const char *smt_policy_name(enum smt_policy smt);
const char *confine_policy_name(enum confine_policy confine);

/* The name of one flag as records show it: "shared-core". */
const char *placement_flag_name(enum placement_flag flag);

#endif
