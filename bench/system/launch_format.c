/* A launch as a line for the shell. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system/environment.h"
#include "system/launch.h"

/* Bytes that no shell reads as anything but themselves. */
static const char plain_bytes[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:=,+@%";

static void print_word(FILE *out, const char *word)
{
    if (*word != '\0' && word[strspn(word, plain_bytes)] == '\0') {
        fputs(word, out);
        return;
    }
    putc('\'', out);
    for (; *word != '\0'; word++) {
        if (*word == '\'') {
            fputs("'\\''", out);
        } else {
            putc(*word, out);
        }
    }
    putc('\'', out);
}

static void print_option(FILE *out, const char *option, const char *value)
{
    fprintf(out, "%s ", option);
    print_word(out, value);
    putc(' ', out);
}

static char *name_of(const char *assignment)
{
    return strndup(assignment, strcspn(assignment, "="));
}

/* `env -u GONE NAME=value ...`; nothing when the environments are equal. */
static void print_environment(FILE *out, const char *const *environment,
                              const char *const *inherited)
{
    const char *before = "env ";
    for (const char *const *old = inherited; old != NULL && *old != NULL; old++) {
        char *name = name_of(*old);
        if (name != NULL && environment_get(environment, name) == NULL) {
            fputs(before, out);
            before = "";
            print_option(out, "-u", name);
        }
        free(name);
    }
    for (const char *const *item = environment; item != NULL && *item != NULL; item++) {
        char *name = name_of(*item);
        const char *old = name != NULL ? environment_get(inherited, name) : NULL;
        if (old == NULL || strcmp(old, strchr(*item, '=') + 1) != 0) {
            fputs(before, out);
            before = "";
            print_word(out, *item);
            putc(' ', out);
        }
        free(name);
    }
}

/* argv[0] is what the program is told, not where it is: the shell sets both to the file's path. */
static void print_launch(FILE *out, const struct launch *launch, const char *const *inherited)
{
    if (launch->working_directory != NULL) {
        print_option(out, "cd", launch->working_directory);
        fputs("&& ", out);
    }
    print_environment(out, (const char *const *)launch->environment, inherited);
    if (!cpu_set_is_empty(&launch->cpus)) {
        char text[CPU_SET_TEXT_SIZE];
        cpu_set_format(&launch->cpus, text, sizeof(text));
        print_option(out, "taskset -c", text);
    }
    print_word(out, launch->program);
    for (char **word = launch->argv + 1; *word != NULL; word++) {
        putc(' ', out);
        print_word(out, *word);
    }
    if (launch->log_path != NULL) {
        fputs(" </dev/null >>", out);
        print_word(out, launch->log_path);
        fputs(" 2>&1", out);
    }
}

char *launch_format(const struct launch *launch, const char *const *inherited)
{
    char *line = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&line, &size);
    if (out == NULL) {
        return NULL;
    }
    print_launch(out, launch, inherited);
    return fclose(out) == 0 ? line : NULL;
}
