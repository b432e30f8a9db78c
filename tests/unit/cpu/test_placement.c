/* Placement on machines written by hand; the masks expected follow from the rule in the header. */
#include "../unit.h"

#include <string.h>

#include "core/attributes.h"
#include "core/error.h"
#include "cpu/placement.h"

/* id, core, package; online and allowed unless told otherwise. */
#define CPU(number, of_core, of_package)                                                           \
    {                                                                                              \
        .id = (number), .online = true, .allowed = true, .core = (of_core),                        \
        .package = (of_package)                                                                    \
    }
#define OFFLINE(number)                                                                            \
    {                                                                                              \
        .id = (number), .allowed = true, .core = -1, .package = -1, .node = -1, .sibling = -1      \
    }
#define SHUT_OUT(number, of_core, of_package)                                                      \
    {                                                                                              \
        .id = (number), .online = true, .core = (of_core), .package = (of_package)                 \
    }

static struct topology_cpu one_cpu[] = {CPU(0, 0, 0)};
static struct topology_cpu two_cpus[] = {CPU(0, 0, 0), CPU(1, 1, 0)};
static struct topology_cpu four_cores_smt[] = {CPU(0, 0, 0), CPU(1, 1, 0), CPU(2, 2, 0),
                                               CPU(3, 3, 0), CPU(4, 0, 0), CPU(5, 1, 0),
                                               CPU(6, 2, 0), CPU(7, 3, 0)};
/* As QEMU shows -smp 8,sockets=2,cores=2,threads=2. */
static struct topology_cpu two_sockets[] = {CPU(0, 0, 0), CPU(1, 0, 0), CPU(2, 1, 0), CPU(3, 1, 0),
                                            CPU(4, 2, 1), CPU(5, 2, 1), CPU(6, 3, 1), CPU(7, 3, 1)};
/* The same with 0 and 5 offline and 2 shut out: 1, 3, 4, 6-7 are left. */
static struct topology_cpu holes[] = {OFFLINE(0),   CPU(1, 0, 0), SHUT_OUT(2, 1, 0), CPU(3, 1, 0),
                                      CPU(4, 2, 1), OFFLINE(5),   CPU(6, 3, 1),      CPU(7, 3, 1)};
static struct topology_cpu sparse[] = {CPU(3, 0, 17), CPU(70, 1, 17), CPU(500, 2, 99),
                                       CPU(4095, 3, 99)};
static struct topology_cpu socket_each[] = {CPU(0, 0, 0), CPU(1, 1, 1), CPU(2, 2, 2)};
static struct topology_cpu two_sockets_of_one[] = {CPU(0, 0, 0), CPU(1, 1, 1)};
static struct topology_cpu sockets_unknown[] = {CPU(0, 0, -1), CPU(1, 1, -1)};
static struct topology_cpu none_usable[] = {OFFLINE(0), SHUT_OUT(1, 0, 0)};

#define MACHINE(cpus, cores)                                                                       \
    {                                                                                              \
        (cpus), ARRAY_LENGTH(cpus), (cores), true, true                                            \
    }

enum machine { ONE, TWO, SMT, SOCKETS, HOLES, SPARSE, EACH, PAIR, UNKNOWN, NONE };

static const struct topology machines[] = {
    [ONE] = MACHINE(one_cpu, 1),        [TWO] = MACHINE(two_cpus, 2),
    [SMT] = MACHINE(four_cores_smt, 4), [SOCKETS] = MACHINE(two_sockets, 4),
    [HOLES] = MACHINE(holes, 4),        [SPARSE] = MACHINE(sparse, 4),
    [EACH] = MACHINE(socket_each, 3),   [UNKNOWN] = MACHINE(sockets_unknown, 2),
    [NONE] = MACHINE(none_usable, 1),   [PAIR] = MACHINE(two_sockets_of_one, 2),
};

static struct cpu_set set_of(const char *text)
{
    struct cpu_set set = {0};
    struct diag diag = {0};
    assert_int_equal(cpu_set_parse(text, &set, &diag), 0);
    return set;
}

static void assert_set(const struct cpu_set *set, const char *expected)
{
    char text[CPU_SET_TEXT_SIZE];
    cpu_set_format(set, text, sizeof(text));
    assert_string_equal(text, expected);
}

#define ANY         PLACEMENT_ANY
#define SAME        PLACEMENT_SAME_SOCKET
#define SPLIT       PLACEMENT_SPLIT_SOCKETS
#define SHARED      PLACEMENT_SHARED_CORE
#define CONFINED    CONFINE_VCPUS
#define NOT         CONFINE_NONE
#define ONE_SOCKET  PLACEMENT_SOCKETS_UNKNOWN
#define SOCKET_EACH PLACEMENT_SOCKET_PER_CPU

static void masks(void **state)
{
    (void)state;
    static const struct {
        enum machine machine;
        enum placement_policy policy;
        enum smt_policy smt;
        enum confine_policy confine;
        unsigned vcpus, threads;
        const char *server, *client;
        unsigned flags;
    } cases[] = {
        /* Nothing is pinned; both may meet on any core. */
        {TWO, ANY, SMT_ON, NOT, 1, 1, "0-1", "0-1", SHARED},
        {SMT, ANY, SMT_MASK, NOT, 1, 1, "0-3", "0-3", SHARED},
        {SMT, ANY, SMT_ON, CONFINED, 5, 1, "0-4", "0-7", SHARED},
        {HOLES, ANY, SMT_ON, NOT, 5, 1, "1,3-4,6-7", "1,3-4,6-7", SHARED},
        {HOLES, ANY, SMT_MASK, NOT, 4, 1, "1,3-4,6", "1,3-4,6", SHARED},
        {SOCKETS, ANY, SMT_ON, CONFINED, 3, 1, "0,2,4", "0-7", SHARED},
        /* One socket: the client has the last core. */
        {ONE, SAME, SMT_ON, NOT, 1, 1, "0", "0", SHARED},
        {TWO, SAME, SMT_ON, NOT, 1, 1, "0", "1", 0},
        {TWO, SAME, SMT_MASK, NOT, 1, 1, "0", "1", 0},
        {TWO, SAME, SMT_ON, NOT, 2, 1, "0-1", "1", SHARED},
        {TWO, SAME, SMT_ON, CONFINED, 1, 1, "0", "1", 0},
        {TWO, SAME, SMT_ON, NOT, 1, 2, "0", "0-1", SHARED},
        {SMT, SAME, SMT_MASK, NOT, 1, 1, "0-2", "3", 0},
        {SMT, SAME, SMT_ON, NOT, 1, 1, "0-2,4-6", "3,7", 0},
        {SMT, SAME, SMT_MASK, NOT, 2, 2, "0-1", "2-3", 0},
        {SMT, SAME, SMT_MASK, CONFINED, 1, 2, "0", "2-3", 0},
        {SMT, SAME, SMT_ON, CONFINED, 4, 1, "0-2,4", "3,7", 0},
        {SMT, SAME, SMT_ON, NOT, 7, 1, "0-6", "3,7", SHARED},
        {SMT, SAME, SMT_MASK, NOT, 3, 2, "0-2", "2-3", SHARED},
        {SMT, SAME, SMT_MASK, NOT, 4, 9, "0-3", "0-3", SHARED},
        {SOCKETS, SAME, SMT_MASK, NOT, 1, 1, "0", "2", 0},
        {SOCKETS, SAME, SMT_ON, NOT, 2, 1, "0-1", "2-3", 0},
        {SOCKETS, SAME, SMT_ON, CONFINED, 1, 1, "0", "2-3", 0},
        /* The larger socket, the first among equals. */
        {HOLES, SAME, SMT_ON, NOT, 1, 1, "4", "6-7", 0},
        {HOLES, SAME, SMT_MASK, NOT, 1, 1, "1", "3", 0},
        {SPARSE, SAME, SMT_ON, NOT, 1, 1, "3", "70", 0},
        /* A socket each. */
        {SOCKETS, SPLIT, SMT_ON, NOT, 1, 1, "0-3", "6-7", 0},
        {SOCKETS, SPLIT, SMT_MASK, NOT, 2, 2, "0,2", "4,6", 0},
        {SOCKETS, SPLIT, SMT_MASK, CONFINED, 1, 1, "0", "6", 0},
        {SPARSE, SPLIT, SMT_ON, NOT, 2, 1, "3,70", "4095", 0},
        {HOLES, SPLIT, SMT_ON, NOT, 1, 1, "4,6-7", "3", 0},
        /* Machines that tell little about their sockets. */
        {EACH, SAME, SMT_ON, NOT, 2, 1, "0-1", "2", SOCKET_EACH},
        {PAIR, SAME, SMT_ON, NOT, 1, 1, "0", "1", SOCKET_EACH},
        {EACH, SPLIT, SMT_ON, NOT, 1, 1, "0", "1", SOCKET_EACH},
        {UNKNOWN, SAME, SMT_ON, NOT, 1, 1, "0", "1", ONE_SOCKET},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct placement_request request = {.policy = cases[i].policy,
                                            .smt = cases[i].smt,
                                            .confine = cases[i].confine,
                                            .vcpus = cases[i].vcpus,
                                            .client_threads = cases[i].threads};
        struct placement placement;
        struct diag diag = {0};
        int status = placement_compute(&machines[cases[i].machine], &request, &placement, &diag);
        if (status != 0) {
            print_error("case %zu: %s\n", i, diag.message);
        }
        assert_int_equal(status, 0);
        assert_set(&placement.server, cases[i].server);
        assert_set(&placement.client, cases[i].client);
        assert_int_equal(placement.flags, cases[i].flags);
    }
}

static void explicit_masks(void **state)
{
    (void)state;
    static const struct {
        enum machine machine;
        enum smt_policy smt;
        enum confine_policy confine;
        unsigned vcpus;
        const char *server, *client;
        const char *got_server, *got_client;
        unsigned flags;
    } cases[] = {
        {TWO, SMT_ON, NOT, 1, "0", "1", "0", "1", 0},
        {TWO, SMT_ON, NOT, 1, "0-1", "1", "0-1", "1", SHARED},
        {SMT, SMT_ON, NOT, 1, "0", "4", "0", "4", SHARED}, /* siblings of one core */
        {SMT, SMT_MASK, NOT, 2, "0-1,4-5", "3,7", "0-1", "3", 0},
        {SMT, SMT_ON, CONFINED, 3, "0-1,4-5", "3", "0-1,4", "3", 0},
        {HOLES, SMT_MASK, NOT, 1, "1", "7,6", "1", "6", 0},
        {SPARSE, SMT_ON, NOT, 1, "4095", "3", "4095", "3", 0},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct placement_request request = {.policy = PLACEMENT_EXPLICIT,
                                            .smt = cases[i].smt,
                                            .confine = cases[i].confine,
                                            .vcpus = cases[i].vcpus,
                                            .client_threads = 1,
                                            .server = set_of(cases[i].server),
                                            .client = set_of(cases[i].client)};
        struct placement placement;
        struct diag diag = {0};
        assert_int_equal(
            placement_compute(&machines[cases[i].machine], &request, &placement, &diag), 0);
        assert_set(&placement.server, cases[i].got_server);
        assert_set(&placement.client, cases[i].got_client);
        assert_int_equal(placement.flags, cases[i].flags);
    }
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        enum machine machine;
        enum placement_policy policy;
        enum smt_policy smt;
        unsigned vcpus;
        const char *server, *client;
        const char *message;
    } cases[] = {
        {TWO, SAME, SMT_ON, 4, "0", "0", "needs 4 CPUs, this machine has 2"},
        {TWO, ANY, SMT_ON, 3, "0", "0", "needs 3 CPUs, this machine has 2"},
        {SMT, SAME, SMT_MASK, 5, "0", "0",
         "needs 5 CPUs, this machine has 4 (smt: mask counts one of each core)"},
        {SOCKETS, SAME, SMT_ON, 5, "0", "0", "needs 5 CPUs on one socket, the largest has 4"},
        {SOCKETS, SPLIT, SMT_MASK, 3, "0", "0",
         "needs 3 CPUs on one socket, the largest has 2 (smt: mask counts one of each core)"},
        {TWO, SPLIT, SMT_ON, 1, "0", "0",
         "split-sockets needs two sockets, this machine has usable CPUs on one"},
        {UNKNOWN, SPLIT, SMT_ON, 1, "0", "0",
         "split-sockets needs two sockets, this machine has usable CPUs on one (it does not tell "
         "its sockets apart)"},
        {NONE, ANY, SMT_ON, 1, "0", "0", "this machine shows no usable CPU"},
        {TWO, PLACEMENT_EXPLICIT, SMT_ON, 1, "0,5", "1",
         "CPU 5 is not there, offline or not allowed; usable are 0-1"},
        {HOLES, PLACEMENT_EXPLICIT, SMT_ON, 1, "1", "2,5",
         "CPU 2,5 is not there, offline or not allowed; usable are 1,3-4,6-7"},
        {SMT, PLACEMENT_EXPLICIT, SMT_MASK, 1, "4", "1", "smt: mask leaves none of the CPUs \"4\""},
        {SMT, PLACEMENT_EXPLICIT, SMT_ON, 2, "4", "1", "needs 2 CPUs, the server's mask has 1"},
        {SOCKETS, PLACEMENT_SOCKET_OFF, SMT_ON, 1, "0", "0",
         "socket-off would take a socket's CPUs offline for the whole machine, root's right and "
         "not offered here; same-socket uses one socket by affinity"},
        {SMT, SAME, SMT_OFFLINE, 1, "0", "0",
         "smt: offline would take siblings offline for the whole machine, root's right and not "
         "offered here; smt: mask leaves them out by affinity"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct placement_request request = {.policy = cases[i].policy,
                                            .smt = cases[i].smt,
                                            .vcpus = cases[i].vcpus,
                                            .client_threads = 1,
                                            .server = set_of(cases[i].server),
                                            .client = set_of(cases[i].client)};
        struct placement placement;
        struct diag diag = {0};
        assert_int_equal(
            placement_compute(&machines[cases[i].machine], &request, &placement, &diag),
            ERR_UNSUPPORTED);
        assert_string_equal(diag.message, cases[i].message);
    }
}

/* What holds for every machine, policy and size: the promises of the header. */
static void promises(void **state)
{
    (void)state;
    for (size_t m = 0; m < ARRAY_LENGTH(machines); m++) {
        struct cpu_set usable;
        topology_usable(&machines[m], &usable);
        for (unsigned n = 0; n < 3 * 2 * 2 * 9 * 4; n++) {
            struct placement_request request = {.policy = (enum placement_policy)(n % 3),
                                                .smt = (enum smt_policy)(n / 3 % 2),
                                                .confine = (enum confine_policy)(n / 6 % 2),
                                                .vcpus = n / 12 % 9 + 1,
                                                .client_threads = n / 108 + 1};
            struct placement placement;
            struct diag diag = {0};
            if (placement_compute(&machines[m], &request, &placement, &diag) != 0) {
                assert_int_equal(diag.code, ERR_UNSUPPORTED);
                continue;
            }
            assert_true(cpu_set_within(&placement.server, &usable));
            assert_true(cpu_set_within(&placement.client, &usable));
            assert_false(cpu_set_is_empty(&placement.client));
            assert_true(cpu_set_count(&placement.server) >= request.vcpus);
            if (request.confine == CONFINE_VCPUS) {
                assert_int_equal(cpu_set_count(&placement.server), request.vcpus);
            }
            if ((placement.flags & PLACEMENT_SHARED_CORE) == 0) {
                assert_false(cpu_set_overlap(&placement.server, &placement.client));
            }
        }
    }
}

static void names(void **state)
{
    (void)state;
    enum placement_policy policy = PLACEMENT_ANY;
    enum smt_policy smt = SMT_ON;
    enum confine_policy confine = CONFINE_NONE;
    assert_int_equal(placement_policy_parse("split-sockets", &policy), 0);
    assert_int_equal(policy, PLACEMENT_SPLIT_SOCKETS);
    assert_string_equal(placement_policy_name(policy), "split-sockets");
    assert_int_equal(placement_policy_parse("explicit", &policy), ERR_NOT_FOUND);
    assert_int_equal(placement_policy_parse("", &policy), ERR_NOT_FOUND);
    assert_int_equal(smt_policy_parse("offline", &smt), 0);
    assert_string_equal(smt_policy_name(smt), "offline");
    assert_int_equal(smt_policy_parse("off", &smt), ERR_NOT_FOUND);
    assert_int_equal(confine_policy_parse("vcpus", &confine), 0);
    assert_string_equal(confine_policy_name(confine), "vcpus");
    assert_string_equal(placement_flag_name(PLACEMENT_SHARED_CORE), "shared-core");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masks),    cmocka_unit_test(explicit_masks), cmocka_unit_test(refusals),
        cmocka_unit_test(promises), cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
