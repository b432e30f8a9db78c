/* scoped, this project's own server: everything is on its command line. */
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

static const char *const programs[] = {"./scoped", "scoped", NULL};

const struct target_ops target_scoped = {
    .name = "scoped",
    .programs = programs,
    .version_option = "-v",
    .arguments = arguments,
};
