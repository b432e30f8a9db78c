#include "sweep/experiment.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"
#include "sweep/experiment_words.h"
#include "system/launch.h"

/* 2^53 - 1: every reader of JSON keeps it exactly. */
#define SEED_MAX 9007199254740991.0

/* Both masks are part of the setup's name, which names a file. */
#define MASK_TEXT_MAX 60

/* The name becomes part of the results directory's name. */
static int read_name(const struct yaml_node *node, const struct field *field, void *member,
                     struct diag *diag)
{
    int status = schema_expect(node, YAML_TEXT, field->key, diag);
    if (status != 0) {
        return status;
    }
    *(const char **)member = node->text;
    size_t length = strspn(node->text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                       "0123456789._-");
    if (node->text[length] != '\0' || length > EXPERIMENT_NAME_MAX ||
        !isalnum((unsigned char)node->text[0])) {
        return yaml_node_fail(
            node, diag, ERR_SYNTAX,
            "\"name\" must be 1 to %d letters, digits, '.', '_' or '-', the first "
            "one a letter or digit, not \"%s\"",
            EXPERIMENT_NAME_MAX, node->text);
    }
    return 0;
}

static int read_model(const struct yaml_node *node, const struct field *field, void *member,
                      struct diag *diag)
{
    unsigned index = 0;
    int status = field_word(node, field, &index, diag);
    if (status == 0) {
        *(const char **)member = experiment_models[index].name;
    }
    return status;
}

static int read_workers(const struct yaml_node *node, const struct field *field, void *member,
                        struct diag *diag)
{
    if (node->kind == YAML_TEXT && strcmp(node->text, EXPERIMENT_WORKERS_VCPUS) == 0) {
        *(unsigned *)member = 0;
        return 0;
    }
    struct diag number = {0};
    int status = field_count(node, field, member, &number);
    if (status != 0) {
        return yaml_node_fail(
            node, diag, status,
            "\"workers\" must be \"%s\" or a whole number from %.0f to %.0f%s%s%s",
            EXPERIMENT_WORKERS_VCPUS, field->min, field->max,
            node->kind == YAML_TEXT ? ", not \"" : "", node->kind == YAML_TEXT ? node->text : "",
            node->kind == YAML_TEXT ? "\"" : "");
    }
    return 0;
}

/* A number of starts, or how many starts and runs in each. */
static int read_repetitions(const struct yaml_node *node, const struct field *field, void *member,
                            struct diag *diag)
{
    struct repetitions *repetitions = member;
    if (node->kind == YAML_TEXT) {
        return field_count(node, field, &repetitions->starts, diag);
    }
    return field_mapping(node, field, member, diag);
}

struct explicit_masks {
    const char *server;
    const char *client;
};

static int parse_mask(const struct yaml_node *node, const char *key, struct cpu_set *cpus,
                      struct diag *diag)
{
    const struct yaml_node *mask = yaml_node_get(node, key);
    struct diag reason = {0};
    if (strlen(mask->text) > MASK_TEXT_MAX) {
        return yaml_node_fail(mask, diag, ERR_RANGE,
                              "\"%s\" must be a list of CPUs in at most %d characters", key,
                              MASK_TEXT_MAX);
    }
    int status = cpu_set_parse(mask->text, cpus, &reason);
    return status == 0 ? 0 : yaml_node_fail(mask, diag, status, "\"%s\": %s", key, reason.message);
}

/* {server: "0", client: "1"} */
static int read_explicit(const struct yaml_node *node, struct placement_value *value,
                         struct diag *diag)
{
    static const struct field fields[] = {
        {"server", field_text, offsetof(struct explicit_masks, server), true, 0, 0, NULL},
        {"client", field_text, offsetof(struct explicit_masks, client), true, 0, 0, NULL},
        {NULL, NULL, 0, false, 0, 0, NULL},
    };
    struct explicit_masks masks = {0};
    int status = schema_read(node, fields, &masks, diag);
    if (status == 0) {
        status = parse_mask(node, "server", &value->server, diag);
    }
    if (status == 0) {
        status = parse_mask(node, "client", &value->client, diag);
    }
    value->policy = PLACEMENT_EXPLICIT;
    value->server_text = masks.server;
    value->client_text = masks.client;
    return status;
}

static int read_placement(const struct yaml_node *node, const struct field *field,
                          struct placement_value *value, struct diag *diag)
{
    if (node->kind == YAML_MAPPING) {
        return read_explicit(node, value, diag);
    }
    unsigned policy = 0;
    int status = field_word(node, field, &policy, diag);
    value->policy = (enum placement_policy)policy;
    return status;
}

static bool same_placement(const struct placement_value *a, const struct placement_value *b)
{
    return a->policy == b->policy && cpu_set_equal(&a->server, &b->server) &&
           cpu_set_equal(&a->client, &b->client);
}

static int add_placement(const struct yaml_node *node, const struct field *field,
                         struct placement_list *list, struct diag *diag)
{
    struct placement_value *value = &list->values[list->count];
    int status = read_placement(node, field, value, diag);
    for (size_t i = 0; status == 0 && i < list->count; i++) {
        if (same_placement(&list->values[i], value)) {
            return yaml_node_fail(node, diag, ERR_SYNTAX,
                                  "\"%s\" has the same value twice; keep one of them", field->key);
        }
    }
    list->count += status == 0;
    return status;
}

static int read_placements(const struct yaml_node *node, const struct field *field, void *member,
                           struct diag *diag)
{
    struct placement_list *list = member;
    bool alone = node->kind != YAML_SEQUENCE;
    size_t count = alone ? 1 : yaml_node_count(node);
    if (count == 0 || count > LIST_MAX) {
        return yaml_node_fail(node, diag, ERR_SYNTAX, "\"%s\" must have 1 to %d values", field->key,
                              LIST_MAX);
    }
    struct placement_value *values = calloc(count, sizeof(*values));
    if (values == NULL) {
        return yaml_node_fail(node, diag, ERR_MEMORY, "out of memory");
    }
    free(list->values);
    *list = (struct placement_list){values, 0};
    if (alone) {
        return add_placement(node, field, list, diag);
    }
    int status = 0;
    const struct yaml_node *child = node->first_child;
    for (; status == 0 && child != NULL; child = child->next) {
        status = add_placement(child, field, list, diag);
    }
    return status;
}

#define END_OF_FIELDS                                                                              \
    {                                                                                              \
        NULL, NULL, 0, false, 0, 0, NULL                                                           \
    }

#define MEMBER(type, member) offsetof(struct type, member)

static const struct field target_fields[] = {
    {"kind", field_word, MEMBER(target_settings, kind), true, 0, 0, experiment_target_kinds},
    {"model", read_model, MEMBER(target_settings, model), false, 0, 0, experiment_models},
    {"workers", read_workers, MEMBER(target_settings, workers), false, 1, 1024, NULL},
    {"port", field_count, MEMBER(target_settings, port), false, 1, 65535, NULL},
    {"program", field_text, MEMBER(target_settings, program), false, 0, 0, NULL},
    END_OF_FIELDS,
};

static const struct field workload_fields[] = {
    {"zone", field_text, MEMBER(workload, zone), true, 0, 0, NULL},
    {"queries", field_text, MEMBER(workload, queries), true, 0, 0, NULL},
    {"origin", field_text, MEMBER(workload, origin), false, 0, 0, NULL},
    END_OF_FIELDS,
};

static const struct field load_fields[] = {
    {"threads", field_count, MEMBER(load_settings, threads), false, 1, 256, NULL},
    {"clients", field_count, MEMBER(load_settings, clients), false, 1, 10000, NULL},
    {"outstanding", field_count, MEMBER(load_settings, outstanding), false, 1, 1000000, NULL},
    {"warmup_s", field_decimal, MEMBER(load_settings, warmup_s), false, 0, 3600, NULL},
    {"duration_s", field_decimal, MEMBER(load_settings, duration_s), false, 0.01, 86400, NULL},
    {"timeout_s", field_decimal, MEMBER(load_settings, timeout_s), false, 0.001, 3600, NULL},
    END_OF_FIELDS,
};

static const struct field axes_fields[] = {
    {"scope", field_words, MEMBER(axes, scope), false, 0, 0, experiment_scopes},
    {"vcpus", field_counts, MEMBER(axes, vcpus), false, 1, 1024, NULL},
    {"smt", field_words, MEMBER(axes, smt), false, 0, 0, experiment_smt},
    {"placement", read_placements, MEMBER(axes, placement), false, 0, 0, experiment_placements},
    {"malloc", field_words, MEMBER(axes, malloc), false, 0, 0, experiment_allocators},
    {"confine", field_words, MEMBER(axes, confine), false, 0, 0, experiment_confines},
    END_OF_FIELDS,
};

static const struct field repetitions_fields[] = {
    {"starts", field_count, MEMBER(repetitions, starts), true, 1, 100000, NULL},
    {"runs_per_start", field_count, MEMBER(repetitions, runs_per_start), false, 1, 1000, NULL},
    END_OF_FIELDS,
};

static const struct field experiment_fields[] = {
    {"name", read_name, MEMBER(experiment, name), true, 0, 0, NULL},
    {"target", field_mapping, MEMBER(experiment, target), true, 0, 0, target_fields},
    {"workload", field_mapping, MEMBER(experiment, workload), true, 0, 0, workload_fields},
    {"load", field_mapping, MEMBER(experiment, load), false, 0, 0, load_fields},
    {"axes", field_mapping, MEMBER(experiment, axes), false, 0, 0, axes_fields},
    {"repetitions", read_repetitions, MEMBER(experiment, repetitions), false, 1, 100000,
     repetitions_fields},
    {"order", field_word, MEMBER(experiment, order), false, 0, 0, experiment_orders},
    {"seed", field_u64, MEMBER(experiment, seed), false, 0, SEED_MAX, NULL},
    END_OF_FIELDS,
};

static int fill_defaults(struct experiment *experiment, struct diag *diag)
{
    *experiment = (struct experiment){
        .target = {.model = "dispatch"},
        .load = {.threads = 1,
                 .clients = 4,
                 .outstanding = 100,
                 .warmup_s = 1,
                 .duration_s = 5,
                 .timeout_s = 5},
        .axes = {.scope = {{THREAD_SCOPE_PROCESS, THREAD_SCOPE_SYSTEM}, 2},
                 .vcpus = {{1}, 1},
                 .smt = {{SMT_MASK}, 1},
                 .malloc = {{ALLOCATOR_LIBC}, 1},
                 .confine = {{CONFINE_NONE}, 1}},
        .repetitions = {5, 1},
        .seed = 1,
    };
    struct placement_list *placement = &experiment->axes.placement;
    placement->values = calloc(1, sizeof(*placement->values));
    if (placement->values == NULL) {
        return diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
    }
    placement->values[0].policy = PLACEMENT_SAME_SOCKET;
    placement->count = 1;
    return 0;
}

const struct yaml_node *experiment_node(const struct experiment *experiment, const char *group,
                                        const char *key)
{
    const struct yaml_node *root = experiment->tree.root;
    const struct yaml_node *parent = group != NULL ? yaml_node_get(root, group) : root;
    const struct yaml_node *node = parent != NULL ? yaml_node_get(parent, key) : NULL;
    return node != NULL ? node : parent != NULL ? parent : root;
}

static int check_together(const struct experiment *experiment, struct diag *diag)
{
    const struct load_settings *load = &experiment->load;
    if (load->clients < load->threads) {
        return yaml_node_fail(
            experiment_node(experiment, "load", "clients"), diag, ERR_RANGE,
            "\"clients\" (%u) must be at least \"threads\" (%u): each thread needs "
            "a socket",
            load->clients, load->threads);
    }
    const struct axes *axes = &experiment->axes;
    size_t setups = axes->scope.count * axes->vcpus.count * axes->smt.count *
                    axes->placement.count * axes->malloc.count * axes->confine.count;
    if (setups > EXPERIMENT_SETUPS_MAX) {
        return yaml_node_fail(experiment_node(experiment, NULL, "axes"), diag, ERR_RANGE,
                              "the axes make %zu setups; %d are the limit", setups,
                              EXPERIMENT_SETUPS_MAX);
    }
    uint64_t runs =
        (uint64_t)setups * experiment->repetitions.starts * experiment->repetitions.runs_per_start;
    if (runs > EXPERIMENT_RUNS_MAX) {
        return yaml_node_fail(experiment_node(experiment, NULL, "repetitions"), diag, ERR_RANGE,
                              "%zu setups and these repetitions make %llu runs; %d are the limit",
                              setups, (unsigned long long)runs, EXPERIMENT_RUNS_MAX);
    }
    return 0;
}

static char *join_path(const char *folder, size_t folder_length, const char *name)
{
    char *path = NULL;
    int length = asprintf(&path, "%.*s/%s", (int)folder_length, folder, name);
    return length < 0 ? NULL : path;
}

/* The path that `name` means in `node`: relative to its file's folder. */
static char *join_base(const struct yaml_node *node, const char *file, const char *name)
{
    if (name[0] == '/') {
        return strdup(name);
    }
    char *current = getcwd(NULL, 0);
    const char *slash = strrchr(file, '/');
    char *path = NULL;
    if (slash == NULL || node->line == 0) {
        path = current != NULL ? join_path(current, strlen(current), name) : NULL;
    } else if (file[0] == '/') {
        path = join_path(file, (size_t)(slash - file), name);
    } else if (current != NULL) {
        char *folder = join_path(current, strlen(current), file);
        size_t length = strlen(current) + 1 + (size_t)(slash - file);
        path = folder != NULL ? join_path(folder, length, name) : NULL;
        free(folder);
    }
    free(current);
    return path;
}

/* The same without links and dots where the file is there. */
static char *absolute_path(const struct yaml_node *node, const char *file, const char *name)
{
    char *path = join_base(node, file, name);
    char *real = path != NULL ? realpath(path, NULL) : NULL;
    if (real == NULL) {
        return path;
    }
    free(path);
    return real;
}

static int resolve_paths(struct experiment *experiment, const char *file, struct diag *diag)
{
    const struct {
        const char *group;
        const char *key;
        const char **path;
    } names[] = {
        {"workload", "zone", &experiment->workload.zone},
        {"workload", "queries", &experiment->workload.queries},
        {"target", "program", &experiment->target.program},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        const char *path = *names[i].path;
        int is_command = names[i].path == &experiment->target.program &&
                         (path == NULL || strchr(path, '/') == NULL);
        if (is_command) {
            continue;
        }
        const struct yaml_node *node = experiment_node(experiment, names[i].group, names[i].key);
        experiment->paths[i] = absolute_path(node, file, path);
        if (experiment->paths[i] == NULL) {
            return diag_fail_errno(diag, file, "cannot make the path of %s", path);
        }
        *names[i].path = experiment->paths[i];
    }
    return 0;
}

static int read_tree(struct experiment *experiment, const char *file, const char *const *sets,
                     size_t set_count, struct diag *diag)
{
    const struct yaml_node *root = experiment->tree.root;
    int status = 0;
    if (root->kind != YAML_MAPPING) {
        return yaml_node_fail(root, diag, ERR_SYNTAX,
                              "an experiment is a group of keys: name, target, workload, ...");
    }
    for (size_t i = 0; status == 0 && i < set_count; i++) {
        status = yaml_tree_set(&experiment->tree, sets[i], diag);
    }
    if (status == 0) {
        status = schema_read(root, experiment_fields, experiment, diag);
    }
    if (status == 0) {
        status = check_together(experiment, diag);
    }
    return status != 0 ? status : resolve_paths(experiment, file, diag);
}

int experiment_parse(struct experiment *experiment, const char *text, size_t size, const char *file,
                     const char *const *sets, size_t set_count, struct diag *diag)
{
    int status = fill_defaults(experiment, diag);
    if (status == 0) {
        status = yaml_tree_parse(&experiment->tree, text, size, file, diag);
    }
    if (status == 0) {
        status = read_tree(experiment, file, sets, set_count, diag);
    }
    if (status != 0) {
        experiment_free(experiment);
    }
    return status;
}

int experiment_load(struct experiment *experiment, const char *file, const char *const *sets,
                    size_t set_count, struct diag *diag)
{
    struct bytes bytes;
    int status = file_read_all(file, &bytes, diag);
    if (status == 0) {
        status = experiment_parse(experiment, bytes.data, bytes.size, file, sets, set_count, diag);
        bytes_free(&bytes);
    }
    return status;
}

void experiment_free(struct experiment *experiment)
{
    free(experiment->axes.placement.values);
    for (size_t i = 0; i < ARRAY_LENGTH(experiment->paths); i++) {
        free(experiment->paths[i]);
    }
    yaml_tree_free(&experiment->tree);
    *experiment = (struct experiment){0};
}
