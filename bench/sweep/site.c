#include "sweep/site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"
#include "dns/query_file.h"
#include "dns/zone_load.h"
#include "sweep/zone_origin.h"
#include "system/locate.h"
#include "system/preload.h"

/* "./NAME" is beside dnscope; anything else as locate_program() has it. */
static int find_candidate(const char *self, const char *candidate, char **path, struct diag *diag)
{
    if (strncmp(candidate, "./", 2) != 0) {
        return locate_program(candidate, path, diag);
    }
    char *beside = NULL;
    const char *slash = strrchr(self, '/');
    int folder_length = slash != NULL ? (int)(slash - self) : 0;
    if (asprintf(&beside, "%.*s/%s", folder_length, self, candidate + 2) < 0) {
        return diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
    }
    int status = locate_program(beside, path, diag);
    free(beside);
    return status;
}

/* `reason` with the line of the experiment that it is about in front of it. */
static int fail_at(const struct site *site, const char *group, const char *key,
                   const struct diag *reason, struct diag *diag)
{
    return yaml_node_fail(experiment_node(site->experiment, group, key), diag, reason->code, "%s",
                          reason->message);
}

static int find_program(struct site *site, struct diag *diag)
{
    const char *wanted = site->experiment->target.program;
    if (wanted != NULL) {
        struct diag reason = {0};
        int status = locate_program(wanted, &site->program, &reason);
        return status == 0 ? 0 : fail_at(site, "target", "program", &reason, diag);
    }
    for (const char *const *name = site->target->programs; *name != NULL; name++) {
        struct diag quiet = {0};
        int status = find_candidate(site->self, *name, &site->program, &quiet);
        if (status != ERR_NOT_FOUND && status != ERR_SYSTEM) {
            return status == 0 ? 0 : diag_fail(diag, status, NULL, 0, "%s", quiet.message);
        }
    }
    return diag_fail(diag, ERR_NOT_FOUND, NULL, 0,
                     "the target %s is not installed: not found in $PATH; install it or write its "
                     "file as target.program",
                     site->target->name);
}

static int read_zone(struct site *site, struct diag *diag)
{
    const struct workload *workload = &site->experiment->workload;
    struct bytes text;
    struct diag reason = {0};
    int status = target_check_path(workload->zone, &reason);
    if (status == 0) {
        status = file_read_all(workload->zone, &text, &reason);
    }
    if (status != 0) {
        return fail_at(site, "workload", "zone", &reason, diag);
    }
    site->origin = workload->origin != NULL ? strdup(workload->origin)
                                            : zone_origin_find(text.data, text.size);
    bytes_free(&text);
    if (site->origin == NULL) {
        return diag_fail(
            diag, ERR_SYNTAX, workload->zone, 0,
            "the zone's name is not in the file: neither $ORIGIN nor a SOA record with "
            "an absolute owner; add it to the experiment, as workload.origin: "
            "example.com.");
    }
    return 0;
}

/* The server says its warnings itself, in its log. */
static void ignore_warning(void *context, const struct zone_place *place, const char *text)
{
    (void)context;
    (void)place;
    (void)text;
}

/* With scoped's loader, which reads a zone as named does: a wrong line is said at once. */
static int check_zone(const char *origin, const char *path, struct diag *diag)
{
    const struct zone_warning_sink quiet = {ignore_warning, NULL};
    struct zone *zone = NULL;
    int status = zone_load(origin, path, &quiet, &zone, diag);
    if (status == 0) {
        zone_free(zone);
    }
    return status;
}

/* Reads the queries as the load tool will, so that a wrong line is said before anything starts. */
static int check_queries(const struct site *site, struct diag *diag)
{
    const char *path = site->experiment->workload.queries;
    const struct query_form form = {0};
    const struct query_file_options options = {0};
    struct query_file_counts counts;
    struct query_set set;
    query_set_init(&set, &form);
    struct diag reason = {0};
    int status = query_file_load(path, &options, &set, &counts, &reason);
    query_set_free(&set);
    if (status == ERR_SYSTEM) { /* not about a line of the file, but about the file */
        return fail_at(site, "workload", "queries", &reason, diag);
    }
    return status == 0 ? 0 : diag_fail(diag, status, NULL, 0, "%s", reason.message);
}

static int check_workload(struct site *site, struct diag *diag)
{
    int status = read_zone(site, diag);
    if (status == 0) {
        status = check_zone(site->origin, site->experiment->workload.zone, diag);
    }
    return status != 0 ? status : check_queries(site, diag);
}

/* The axis whose value most likely keeps a setup from being placed. */
static const char *blame_axis(const struct site *site, const struct placement_request *request)
{
    struct cpu_set usable;
    topology_usable(&site->topology, &usable);
    if (request->smt == SMT_OFFLINE) {
        return "smt";
    }
    bool needs_sockets =
        request->policy == PLACEMENT_SPLIT_SOCKETS || request->policy == PLACEMENT_SOCKET_OFF;
    bool fits = request->vcpus <= cpu_set_count(&usable);
    return request->policy == PLACEMENT_EXPLICIT || (needs_sockets && fits) ? "placement" : "vcpus";
}

/* What places the setup's two sides; the diag tells which setup it was. */
static int place_setup(struct site *site, size_t index, struct diag *diag)
{
    const struct plan_setup *setup = &site->plan->setups[index];
    struct placement_request request = {
        .policy = setup->placement->policy,
        .smt = setup->smt,
        .confine = setup->confine,
        .vcpus = setup->vcpus,
        .client_threads = site->experiment->load.threads,
        .server = setup->placement->server,
        .client = setup->placement->client,
    };
    struct diag reason = {0};
    int status = placement_compute(&site->topology, &request, &site->placements[index], &reason);
    if (status != 0) {
        const char *axis = blame_axis(site, &request);
        return yaml_node_fail(experiment_node(site->experiment, "axes", axis), diag, status,
                              "this machine cannot make the setup %s: %s", setup->name,
                              reason.message);
    }
    return 0;
}

static int place_setups(struct site *site, struct diag *diag)
{
    site->placements = calloc(site->plan->setup_count, sizeof(*site->placements));
    if (site->placements == NULL) {
        return diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
    }
    int status = 0;
    for (size_t i = 0; status == 0 && i < site->plan->setup_count; i++) {
        status = place_setup(site, i, diag);
    }
    return status;
}

/* Setups that preload something need the library, and a program that takes it. */
static int check_libraries(const struct site *site, struct diag *diag)
{
    for (size_t i = 0; i < site->plan->setup_count; i++) {
        const struct plan_setup *setup = &site->plan->setups[i];
        const struct launch_setup preloads = {
            .scope = setup->scope, .vcpus = setup->vcpus, .allocator = setup->malloc};
        struct diag reason = {0};
        int status = preload_check_setup(&preloads, &site->libraries, site->program, &reason);
        if (status != 0) {
            return diag_fail(diag, status, NULL, 0, "the setup %s cannot be made: %s", setup->name,
                             reason.message);
        }
    }
    return 0;
}

static int survey(struct site *site, struct diag *diag)
{
    int status = locate_self(&site->self, diag);
    if (status == 0) {
        status = find_program(site, diag);
    }
    if (status == 0) {
        status = check_workload(site, diag);
    }
    if (status == 0) {
        status = topology_load(&site->topology, diag);
    }
    if (status == 0) {
        status = place_setups(site, diag);
    }
    if (status == 0) {
        status = locate_libraries(&site->libraries, diag);
    }
    return status != 0 ? status : check_libraries(site, diag);
}

int site_survey(const struct experiment *experiment, const struct plan *plan, struct site *site,
                struct diag *diag)
{
    *site = (struct site){
        .experiment = experiment,
        .plan = plan,
        .target = target_find(experiment->target.kind),
    };
    int status = survey(site, diag);
    if (status != 0) {
        site_free(site);
    }
    return status;
}

void site_free(struct site *site)
{
    free(site->self);
    free(site->program);
    free(site->origin);
    free(site->placements);
    launch_libraries_free(&site->libraries);
    topology_free(&site->topology);
    *site = (struct site){0};
}
