#include "sweep/describe.h"

#include <string.h>

#include "core/error.h"
#include "system/text_list.h"

struct target_place describe_place(const struct site *site, size_t setup,
                                   const struct run_names *names)
{
    const struct experiment *experiment = site->experiment;
    return (struct target_place){
        .directory = names->target_directory,
        .port = names->port,
        .workers = plan_workers(experiment, &site->plan->setups[setup]),
        .model = experiment->target.model,
        .zone = experiment->workload.zone,
        .origin = site->origin,
    };
}

/* Takes the arguments over, whatever happens. */
static int make_launch(struct launch_request *request, struct text_list *argv,
                       struct launch *launch, struct diag *diag)
{
    int status;
    if (argv->failed) {
        status = diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
    } else {
        request->argv = (const char *const *)argv->items;
        status = launch_make(request, launch, diag);
    }
    text_list_free(argv);
    return status;
}

int describe_target(const struct site *site, size_t setup, const struct run_names *names,
                    const char *const *environment, struct launch *launch, struct diag *diag)
{
    const struct plan_setup *point = &site->plan->setups[setup];
    struct target_place place = describe_place(site, setup, names);
    struct text_list argv = {0};
    text_list_add(&argv, site->program);
    site->target->arguments(&place, &argv);
    struct launch_request request = {
        .program = site->program,
        .setup = {.scope = point->scope,
                  .vcpus = point->vcpus,
                  .allocator = point->malloc,
                  .cpus = site->placements[setup].server},
        .libraries = site->libraries,
        .inherited = environment,
        .stats_path = point->scope == THREAD_SCOPE_PROCESS ? names->pscope_stats : NULL,
        .working_directory = names->target_directory,
        .log_path = names->target_log,
    };
    return make_launch(&request, &argv, launch, diag);
}

static void add_load_arguments(const struct site *site, const struct run_names *names,
                               struct text_list *argv)
{
    const struct load_settings *load = &site->experiment->load;
    text_list_add(argv, site->self);
    text_list_add(argv, "load");
    text_list_add(argv, "-s");
    text_list_add(argv, TARGET_ADDRESS);
    text_list_add(argv, "-p");
    text_list_add(argv, names->port);
    text_list_add(argv, "-d");
    text_list_add(argv, site->experiment->workload.queries);
    text_list_add(argv, "-T");
    text_list_addf(argv, "%u", load->threads);
    text_list_add(argv, "-c");
    text_list_addf(argv, "%u", load->clients);
    text_list_add(argv, "-q");
    text_list_addf(argv, "%u", load->outstanding);
    text_list_add(argv, "-t");
    text_list_addf(argv, "%g", load->timeout_s);
    text_list_add(argv, "--warmup");
    text_list_addf(argv, "%g", load->warmup_s);
    text_list_add(argv, "-l");
    text_list_addf(argv, "%g", load->duration_s);
    text_list_add(argv, "-S");
    text_list_add(argv, "1");
    text_list_add(argv, "--json");
    text_list_add(argv, names->load_json);
}

int describe_load(const struct site *site, size_t setup, const struct run_names *names,
                  const char *const *environment, struct launch *launch, struct diag *diag)
{
    struct text_list argv = {0};
    add_load_arguments(site, names, &argv);
    struct launch_request request = {
        .program = site->self,
        .setup = {.scope = THREAD_SCOPE_SYSTEM, .cpus = site->placements[setup].client},
        .libraries = site->libraries,
        .inherited = environment,
        .log_path = names->load_log,
    };
    return make_launch(&request, &argv, launch, diag);
}
