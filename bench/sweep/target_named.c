/*
 * BIND's named with a configuration of its own: authoritative for one zone on one loopback port,
 * no files outside its private directory, nothing that would answer less or log more than asked.
 */
#include <stdio.h>

#include "sweep/target.h"

#define CONFIG_NAME "named.conf"

/* named.conf(5) strings know no escape, so a path with a quote cannot be written. */
static char *config(const struct target_place *place)
{
    char *text = NULL;
    int length =
        asprintf(&text,
                 "options {\n"
                 "    directory \"%s\";\n"
                 "    listen-on port %s { " TARGET_ADDRESS "; };\n"
                 "    listen-on-v6 { none; };\n"
                 "    pid-file none;\n"
                 "    lock-file none;\n"
                 "    session-keyfile none;\n"
                 "    managed-keys-directory \"%s\";\n"
                 "    recursion no;\n"
                 "    dnssec-validation no;\n"
                 "    minimal-responses yes;\n"
                 "    querylog no;\n"
                 "    notify no;\n"
                 "    allow-transfer { none; };\n"
                 "    empty-zones-enable no;\n"
                 "    interface-interval 0;\n"
                 "};\n"
                 "controls { };\n"
                 "zone \"%s\" {\n"
                 "    type primary;\n"
                 "    file \"%s\";\n"
                 "};\n",
                 place->directory, place->port, place->directory, place->origin, place->zone);
    return length < 0 ? NULL : text;
}

static void arguments(const struct target_place *place, struct text_list *argv)
{
    text_list_add(argv, "-g");
    text_list_add(argv, "-n");
    text_list_addf(argv, "%u", place->workers);
    text_list_add(argv, "-c");
    text_list_addf(argv, "%s/" CONFIG_NAME, place->directory);
}

/* A user's $PATH often leaves the folders of servers out. */
static const char *const programs[] = {"named", "/usr/sbin/named", "/usr/local/sbin/named", NULL};

const struct target_ops target_named = {
    .name = "named",
    .programs = programs,
    .version_option = "-v",
    .config_name = CONFIG_NAME,
    .config = config,
    .arguments = arguments,
};
