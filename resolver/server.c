#include "server.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "catalog.h"
#include "core/error.h"
#include "dns/protocol.h"
#include "listen.h"
#include "log.h"
#include "named_conf.h"
#include "privileges.h"
#include "snapshot.h"

struct server {
    const struct options *options;
    struct config config; /* as read at the start or the last good reload */
    struct snapshot *snapshot;
    int start_folder; /* descriptor of the working folder at the start */
    const struct model *model;
    void *model_state; /* NULL until the sockets are open */
};

static unsigned usable_cpus(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) != 0) {
        return 1;
    }
    return (unsigned)CPU_COUNT(&set);
}

static unsigned count_workers(const struct options *options)
{
    return options->worker_count == 0 ? usable_cpus() : options->worker_count;
}

static void log_conf_warning(void *context, const char *file, unsigned line, const char *text)
{
    (void)context;
    log_line(LOG_LEVEL_WARNING, "%s:%u: %s", file, line, text);
}

/* named.conf's file names are relative to its `directory`, those of the command line and of -c to
 * where the server was started. */
static int read_all(struct server *server, struct config *config, struct zone_set *zones,
                    struct diag *diag)
{
    const struct conf_warning_sink sink = {.warn = log_conf_warning};
    if (fchdir(server->start_folder) != 0) {
        return diag_fail_errno(diag, NULL, "cannot return to the folder of the start");
    }
    int status = 0;
    if (server->options->config_path != NULL) {
        status = named_conf_read(server->options->config_path, &sink, config, diag);
    }
    if (status == 0) {
        status = catalog_load(&server->options->zones, zones, diag);
    }
    if (status == 0 && config->directory != NULL && chdir(config->directory) != 0) {
        status = diag_fail(diag, ERR_SYSTEM, config->path, config->directory_line,
                           "cannot enter directory '%s': %s", config->directory, strerror(errno));
    }
    return status == 0 ? catalog_load(config, zones, diag) : status;
}

/* Reads configuration and zones. On failure the caller has nothing to release. */
static int load(struct server *server, struct config *config, struct zone_set **zones,
                struct diag *diag)
{
    *config = (struct config){0};
    *zones = zone_set_create();
    int status = ERR_MEMORY;
    if (*zones == NULL) {
        diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
    } else {
        status = read_all(server, config, *zones, diag);
    }
    if (status != 0) {
        zone_set_free(*zones);
        config_release(config);
    } else if (config->zone_count + server->options->zones.zone_count == 0) {
        log_line(LOG_LEVEL_WARNING, "there is no zone, so every question will be REFUSED; add "
                                    "zone \"NAME\" { type primary; file \"FILE\"; };");
    }
    return status;
}

static int load_first(struct server *server, struct diag *diag)
{
    struct zone_set *zones;
    server->start_folder = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (server->start_folder < 0) {
        return diag_fail_errno(diag, ".", "cannot open the working folder");
    }
    int status = load(server, &server->config, &zones, diag);
    if (status != 0) {
        return status;
    }
    server->snapshot = snapshot_create(zones, count_workers(server->options));
    if (server->snapshot == NULL) {
        zone_set_free(zones);
        return diag_fail(diag, ERR_MEMORY, NULL, 0, "out of memory");
    }
    return 0;
}

static int open_sockets(struct server *server, struct diag *diag)
{
    const struct options *options = server->options;
    uint16_t port = options->port != 0 ? options->port : server->config.port;
    const struct listen_choice choice = {.port = port != 0 ? port : DNS_PORT,
                                         .ipv4_only = options->ipv4_only,
                                         .ipv6_only = options->ipv6_only};
    struct address *addresses;
    size_t count;
    int status = listen_resolve(&server->config, &choice, &addresses, &count, diag);
    if (status != 0) {
        return status;
    }
    const struct model_setup setup = {.addresses = addresses,
                                      .address_count = count,
                                      .worker_count = count_workers(options),
                                      .snapshot = server->snapshot};
    status = server->model->open(&setup, &server->model_state, diag);
    for (size_t i = 0; i < count && status == 0; i++) {
        char text[ADDRESS_TEXT_SIZE];
        address_format(&addresses[i], text);
        log_line(LOG_LEVEL_INFO, "listening on %s", text);
    }
    free(addresses);
    return status;
}

/* Reads everything anew; when something is wrong, what was good before stays. */
static void reload(struct server *server)
{
    struct diag diag = {0};
    struct config config;
    struct zone_set *zones;
    log_line(LOG_LEVEL_INFO, "received SIGHUP signal to reload zones");
    if (load(server, &config, &zones, &diag) != 0) {
        log_line(LOG_LEVEL_ERROR, "%s", diag.message);
        log_line(LOG_LEVEL_ERROR, "reload failed; the zones stay as they were");
        return;
    }
    snapshot_replace(server->snapshot, zones);
    config_release(&server->config);
    server->config = config;
    log_line(LOG_LEVEL_INFO, "all zones loaded");
    log_line(LOG_LEVEL_INFO, "reloading zones succeeded");
}

static void fill_signals(sigset_t *signals)
{
    sigemptyset(signals);
    sigaddset(signals, SIGINT);
    sigaddset(signals, SIGTERM);
    sigaddset(signals, SIGHUP);
}

static void wait_for_signals(struct server *server)
{
    sigset_t signals;
    fill_signals(&signals);
    for (;;) {
        int number = 0;
        if (sigwait(&signals, &number) != 0) {
            continue;
        }
        if (number != SIGHUP) {
            log_line(LOG_LEVEL_INFO, "stopping on signal %d", number);
            return;
        }
        reload(server);
    }
}

/* Leaves the terminal; the working directory stays, for relative file names at a reload. */
static int detach(struct diag *diag)
{
    if (daemon(1, 0) != 0) {
        return diag_fail_errno(diag, NULL, "cannot go into the background");
    }
    return 0;
}

/* All that can fail because of what somebody wrote; no thread has begun yet. */
static int prepare(struct server *server, struct diag *diag)
{
    const struct options *options = server->options;
    struct privileges_user user;
    int status = 0;
    if (options->user != NULL) {
        status = privileges_find_user(options->user, &user, diag);
    }
    if (status == 0 && options->chroot_path != NULL) {
        status = privileges_change_root(options->chroot_path, diag);
    }
    if (status == 0) {
        status = load_first(server, diag);
    }
    if (status == 0) {
        status = open_sockets(server, diag);
    }
    if (status == 0 && options->user != NULL) {
        status = privileges_become(&user, diag);
    }
    if (status == 0 && !options->foreground) {
        status = detach(diag);
    }
    return status;
}

static void release(struct server *server)
{
    if (server->model_state != NULL) {
        server->model->close(server->model_state);
    }
    snapshot_free(server->snapshot);
    if (server->start_folder >= 0) {
        close(server->start_folder);
    }
    config_release(&server->config);
}

int server_run(const struct options *options, struct diag *diag)
{
    struct server server = {.options = options, .model = options->model, .start_folder = -1};
    sigset_t signals;
    fill_signals(&signals);
    pthread_sigmask(SIG_BLOCK, &signals, NULL); /* inherited by every thread, taken by sigwait */
    log_open(options->log_stderr ? LOG_TARGET_STDERR : LOG_TARGET_SYSLOG);
    log_line(LOG_LEVEL_INFO, "starting scoped " DNSCOPE_VERSION ", model %s, %u worker threads",
             server.model->name, count_workers(options));
    int status = prepare(&server, diag);
    if (status == 0) {
        status = server.model->start(server.model_state, diag);
    }
    if (status == 0) {
        log_line(LOG_LEVEL_INFO, "all zones loaded");
        log_line(LOG_LEVEL_INFO, "running");
        wait_for_signals(&server);
    }
    release(&server);
    if (status == 0) {
        log_line(LOG_LEVEL_INFO, "exiting");
    }
    return status;
}
