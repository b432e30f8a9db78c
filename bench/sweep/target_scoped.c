/* scoped, this project's own server: everything is on its command line. */
#include "dns/zone_load.h"
#include "sweep/target.h"

static void arguments(const struct target_place *place, struct text_list *argv)
{
    text_list_add(argv, "-g");
    text_list_add(argv, "-p");
    text_list_add(argv, place->port);
    text_list_add(argv, "-n");
    text_list_addf(argv, "%u", place->workers);
    text_list_add(argv, "--model");
    text_list_add(argv, place->model);
    text_list_add(argv, "-z");
    text_list_addf(argv, "%s=%s", place->origin, place->zone);
}

/* scoped says its warnings itself, in its log. */
static void ignore_warning(void *context, const struct zone_place *place, const char *text)
{
    (void)context;
    (void)place;
    (void)text;
}

/* With scoped's own loader. */
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

static const char *const programs[] = {"./scoped", "scoped", NULL};

const struct target_ops target_scoped = {
    .name = "scoped",
    .programs = programs,
    .version_option = "-v",
    .check_zone = check_zone,
    .arguments = arguments,
};
