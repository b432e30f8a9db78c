#include "sweep/experiment_words.h"

#include <stdio.h>

#include "core/check.h"
#include "system/launch.h"

const struct choice experiment_target_kinds[] = {
    {"scoped", TARGET_SCOPED},
    {"named", TARGET_NAMED},
    {NULL, 0},
};

const struct choice experiment_orders[] = {
    {"randomized-blocks", ORDER_RANDOMIZED_BLOCKS},
    {"sequential", ORDER_SEQUENTIAL},
    {NULL, 0},
};

const struct choice experiment_scopes[] = {
    {"process", THREAD_SCOPE_PROCESS},
    {"system", THREAD_SCOPE_SYSTEM},
    {NULL, 0},
};

const struct choice experiment_smt[] = {
    {"on", SMT_ON},
    {"mask", SMT_MASK},
    {"offline", SMT_OFFLINE},
    {NULL, 0},
};

const struct choice experiment_placements[] = {
    {"any", PLACEMENT_ANY},
    {"same-socket", PLACEMENT_SAME_SOCKET},
    {"split-sockets", PLACEMENT_SPLIT_SOCKETS},
    {"socket-off", PLACEMENT_SOCKET_OFF},
    {NULL, 0},
};

const struct choice experiment_allocators[] = {
    {"libc", ALLOCATOR_LIBC},
    {"jemalloc", ALLOCATOR_JEMALLOC},
    {NULL, 0},
};

const struct choice experiment_confines[] = {
    {"none", CONFINE_NONE},
    {"vcpus", CONFINE_VCPUS},
    {NULL, 0},
};

const struct choice experiment_models[] = {
    {"reuseport", 0},
    {"shared", 1},
    {"dispatch", 2},
    {NULL, 0},
};

const char *target_kind_name(unsigned kind)
{
    return choice_name(experiment_target_kinds, kind);
}

const char *run_order_name(unsigned order)
{
    return choice_name(experiment_orders, order);
}

size_t placement_value_name(const struct placement_value *value, char *text, size_t size)
{
    int length =
        value->policy == PLACEMENT_EXPLICIT
            ? snprintf(text, size, "server-%s-client-%s", value->server_text, value->client_text)
            : snprintf(text, size, "%s", choice_name(experiment_placements, value->policy));
    CHECK(length >= 0);
    return (size_t)length;
}
