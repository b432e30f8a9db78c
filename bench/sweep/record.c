#include "sweep/record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"

/* The members that the record takes over from the load tool's object as they are. */
static const char *const load_members[] = {
    "run_time_s",          "counts",     "rcodes",    "qps", "request_bytes_mean",
    "response_bytes_mean", "latency_us", "intervals",
};

static json_t *placement_json(const struct placement_value *placement)
{
    if (placement->policy == PLACEMENT_EXPLICIT) {
        return json_pack("{s:s, s:s}", "server", placement->server_text, "client",
                         placement->client_text);
    }
    return json_string(placement_policy_name(placement->policy));
}

static json_t *axes_json(const struct plan_setup *setup)
{
    return json_pack("{s:s, s:i, s:s, s:o, s:s, s:s}", "scope", thread_scope_name(setup->scope),
                     "vcpus", (int)setup->vcpus, "smt", smt_policy_name(setup->smt), "placement",
                     placement_json(setup->placement), "malloc", allocator_name(setup->malloc),
                     "confine", confine_policy_name(setup->confine));
}

static json_t *cpus_json(const struct cpu_set *cpus)
{
    char text[CPU_SET_TEXT_SIZE];
    cpu_set_format(cpus, text, sizeof(text));
    return json_string(text);
}

static void add_flag(json_t *flags, const char *name)
{
    size_t index;
    json_t *flag;
    json_array_foreach(flags, index, flag)
    {
        if (strcmp(json_string_value(flag), name) == 0) {
            return;
        }
    }
    json_array_append_new(flags, json_string(name));
}

/* Whether the first measured interval stayed well below every later one: the warm-up was too short
 * for this target. Below their mean it may stay by chance. */
static bool is_slow_start(const json_t *intervals)
{
    double first = -1;
    double lowest = INFINITY;
    size_t later = 0;
    size_t index;
    const json_t *interval;
    json_array_foreach(intervals, index, interval)
    {
        if (json_is_true(json_object_get(interval, "omitted"))) {
            continue;
        }
        double qps = json_number_value(json_object_get(interval, "qps"));
        if (first < 0) {
            first = qps;
        } else {
            lowest = qps < lowest ? qps : lowest;
            later++;
        }
    }
    return later >= 2 && first < RECORD_SLOW_START_RATIO * lowest;
}

/* Whether a target that ended as it should left no trace of the library that it was to run with. */
static bool is_pscope_unseen(const struct record_input *input)
{
    return input->site->plan->setups[input->start->setup].scope == THREAD_SCOPE_PROCESS &&
           input->exit != NULL && !input->target_died && !input->unclean_stop &&
           input->pscope == NULL;
}

static json_t *flags_json(const struct record_input *input)
{
    const struct placement *placement = &input->site->placements[input->start->setup];
    json_t *flags = json_array();
    size_t index;
    const json_t *flag;
    json_array_foreach(json_object_get(input->load, "flags"), index, flag)
    {
        if (json_is_string(flag)) {
            add_flag(flags, json_string_value(flag));
        }
    }
    for (unsigned bit = 1; bit != 0 && bit <= placement->flags; bit <<= 1) {
        if (placement->flags & bit) {
            add_flag(flags, placement_flag_name((enum placement_flag)bit));
        }
    }
    if (json_number_value(json_object_get(input->host, "steal_pct")) > RECORD_STEAL_PCT) {
        add_flag(flags, "steal");
    }
    if (is_slow_start(json_object_get(input->load, "intervals"))) {
        add_flag(flags, "slow-start");
    }
    bool wants_libc = input->site->plan->setups[input->start->setup].malloc == ALLOCATOR_LIBC;
    const struct {
        bool is_set;
        const char *name;
    } own[] = {
        {wants_libc && input->target != NULL && input->target->has_jemalloc, "jemalloc-linked"},
        {is_pscope_unseen(input), "pscope-unseen"},
        {input->target_died, "target-died"},
        {input->unclean_stop, "unclean-stop"},
        {input->interrupted, "interrupted"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(own); i++) {
        if (own[i].is_set) {
            add_flag(flags, own[i].name);
        }
    }
    return flags;
}

/* Time and switches of the target, with how it was made. */
static json_t *target_json(const struct record_input *input)
{
    const struct site *site = input->site;
    const struct plan_setup *setup = &site->plan->setups[input->start->setup];
    json_t *target = input->target != NULL ? proc_sample_json(input->target) : json_object();
    json_t *made = json_pack(
        "{s:i, s:s, s:s?, s:s, s:i, s:o, s:f, s:f, s:s?, s:O?}", "pid", (int)input->target_pid,
        "kind", site->target->name, "version", input->version, "program", site->program, "workers",
        (int)plan_workers(site->experiment, setup), "cpus",
        cpus_json(&site->placements[input->start->setup].server), "ready_s", input->ready_s,
        "sample_s", input->sample_s, "exit", input->exit, "pscope", input->pscope);
    if (target == NULL || made == NULL || json_object_update(target, made) != 0) {
        json_decref(target);
        target = NULL;
    }
    if (target != NULL && site->experiment->target.kind == TARGET_SCOPED) {
        json_object_set_new(target, "model", json_string(site->experiment->target.model));
    }
    json_decref(made);
    return target;
}

static json_t *client_json(const struct record_input *input)
{
    const json_t *client = json_object_get(input->load, "client");
    const char *version = json_string_value(json_object_get(input->load, "version"));
    json_t *copy = client != NULL ? json_deep_copy(client) : json_object();
    if (version != NULL) {
        json_object_set_new(copy, "version", json_sprintf("dnscope %s", version));
    }
    json_object_set_new(copy, "cpus",
                        cpus_json(&input->site->placements[input->start->setup].client));
    return copy;
}

json_t *record_make(const struct record_input *input, struct diag *diag)
{
    const struct experiment *experiment = input->site->experiment;
    const struct plan_setup *setup = &input->site->plan->setups[input->start->setup];
    bool counted = input->load != NULL && !input->target_died && !input->interrupted;
    json_t *record = json_pack(
        "{s:i, s:s, s:i, s:i, s:b, s:o, s:I, s:s, s:f, s:f}", "block", (int)input->start->block,
        "setup", setup->name, "run", (int)input->run, "position", (int)input->position, "counted",
        (int)counted, "axes", axes_json(setup), "seed", (json_int_t)experiment->seed, "started_at",
        input->started_at, "warmup_s", experiment->load.warmup_s, "duration_s",
        experiment->load.duration_s);
    for (size_t i = 0; i < ARRAY_LENGTH(load_members); i++) {
        json_t *member = json_object_get(input->load, load_members[i]);
        if (member != NULL) {
            json_object_set(record, load_members[i], member);
        }
    }
    int failed = json_object_set_new(record, "client", client_json(input)) != 0;
    failed |= json_object_set_new(record, "target", target_json(input)) != 0;
    failed |= input->host != NULL && json_object_set(record, "host", input->host) != 0;
    failed |= json_object_set_new(record, "flags", flags_json(input)) != 0;
    if (failed) {
        json_decref(record);
        diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
        return NULL;
    }
    return record;
}

static int find_setup(const struct plan *plan, const char *name, size_t *setup)
{
    for (size_t i = 0; i < plan->setup_count; i++) {
        if (strcmp(plan->setups[i].name, name) == 0) {
            *setup = i;
            return 0;
        }
    }
    return ERR_NOT_FOUND;
}

static void join_flags(const json_t *flags, char text[RECORD_FLAGS_SIZE])
{
    size_t used = 0;
    size_t index;
    const json_t *flag;
    text[0] = '\0';
    json_array_foreach(flags, index, flag)
    {
        if (json_is_string(flag) && used < RECORD_FLAGS_SIZE) {
            int length = snprintf(text + used, RECORD_FLAGS_SIZE - used, "%s%s",
                                  used > 0 ? " " : "", json_string_value(flag));
            used += length > 0 ? (size_t)length : 0;
        }
    }
}

int record_read(const json_t *record, const struct plan *plan, struct run_summary *summary,
                struct diag *diag)
{
    const json_t *setup = json_object_get(record, "setup");
    const json_t *block = json_object_get(record, "block");
    const json_t *run = json_object_get(record, "run");
    const json_t *counted = json_object_get(record, "counted");
    const json_t *qps = json_object_get(record, "qps");
    *summary = (struct run_summary){0};
    if (!json_is_string(setup) || !json_is_integer(block) || !json_is_integer(run) ||
        !json_is_boolean(counted) || (json_is_true(counted) && !json_is_number(qps))) {
        return diag_fail(
            diag, ERR_SYNTAX, NULL, 0,
            "not the record of a run: setup, block, run, counted and qps must be there");
    }
    json_int_t block_number = json_integer_value(block);
    json_int_t run_number = json_integer_value(run);
    if (find_setup(plan, json_string_value(setup), &summary->setup) != 0 || block_number < 1 ||
        block_number > EXPERIMENT_RUNS_MAX || run_number < 1 || run_number > EXPERIMENT_RUNS_MAX) {
        return diag_fail(diag, ERR_NOT_FOUND, NULL, 0,
                         "the experiment has no run %lld of setup %s in block %lld",
                         (long long)run_number, json_string_value(setup), (long long)block_number);
    }
    summary->block = (unsigned)block_number;
    summary->run = (unsigned)run_number;
    summary->counted = json_is_true(counted);
    summary->qps = json_number_value(qps);
    summary->p99_us =
        json_number_value(json_object_get(json_object_get(record, "latency_us"), "p99"));
    join_flags(json_object_get(record, "flags"), summary->flags);
    if (!isfinite(summary->qps)) {
        return diag_fail(diag, ERR_SYNTAX, NULL, 0, "qps is not a number");
    }
    return 0;
}
