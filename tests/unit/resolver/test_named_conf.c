#include "../temporary.h"
#include "../unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/attributes.h"
#include "core/error.h"
#include "named_conf.h"

static char path[TEMPORARY_PATH_BYTES];

struct heard {
    unsigned count;
    unsigned line;
    char text[512];
};

static void hear(void *context, const char *file, unsigned line, const char *text)
{
    struct heard *heard = context;
    assert_string_equal(file, path);
    heard->count++;
    heard->line = line;
    snprintf(heard->text, sizeof(heard->text), "%s", text);
}

/* Reads `text` as a configuration file. */
static int read_text(const char *text, struct config *config, struct heard *heard,
                     struct diag *diag)
{
    const struct conf_warning_sink sink = {.warn = hear, .context = heard};
    temporary_file(path, text);
    *heard = (struct heard){0};
    *diag = (struct diag){0};
    int status = named_conf_read(path, &sink, config, diag);
    unlink(path);
    return status;
}

static void a_whole_file(void **state)
{
    (void)state;
    static const char text[] = "// one\n# two\n/* three\n four */\n"
                               "OPTIONS {\n"
                               "  Port 5353; directory \"/var/zones\"; // here\n"
                               "  listen-on port 5300 { 127.0.0.1; 127.0.0.2; };\n"
                               "  listen-on-v6 { ::1; };\n"
                               "  recursion no; minimal-responses yes;\n"
                               "};\n"
                               "ZONE \"example.com\" in { Type PRIMARY; File \"db.example\"; };\n"
                               "zone example.net { file \"a b\\\"c\"; type master; };\n"
                               "zone . {type primary;file root;};";
    struct config config;
    struct heard heard;
    struct diag diag;
    assert_int_equal(read_text(text, &config, &heard, &diag), 0);
    assert_int_equal(heard.count, 0);
    assert_string_equal(config.directory, "/var/zones");
    assert_int_equal(config.listen_count, 3);
    assert_int_equal(config.port, 5353);
    assert_string_equal(config.listens[0].address, "127.0.0.1");
    assert_int_equal(config.listens[0].port, 5300);
    assert_int_equal(config.listens[0].line, 7);
    assert_false(config.listens[0].is_ipv6);
    assert_string_equal(config.listens[1].address, "127.0.0.2");
    assert_int_equal(config.listens[2].port, 0);
    assert_true(config.listens[2].is_ipv6);
    assert_int_equal(config.zone_count, 3);
    assert_string_equal(config.zones[0].origin, "example.com");
    assert_string_equal(config.zones[0].file, "db.example");
    assert_int_equal(config.zones[0].line, 11);
    assert_string_equal(config.zones[1].file, "a b\"c");
    assert_string_equal(config.zones[2].origin, ".");
    config_release(&config);
}

/* What is not implemented is passed over, braces and all, with a warning that has its line. */
static void warnings(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned line;
        const char *says;
    } cases[] = {
        {"logging { channel a { file \"x;{\" versions 3; }; };\n", 1, "'logging'"},
        {"\nacl a { 1.2.3.4; };", 2, "'acl'"},
        {"options {\n allow-query { any; };\n};", 2, "'allow-query'"},
        {"options {\n version none;\n};", 2, "'version'"},
        {"zone a { type primary; file b;\n allow-update { none; }; };", 2, "'allow-update'"},
        {"\n\nzone . { type hint; file \"root.hints\"; };", 3, "type 'hint'"},
        {"options { recursion yes; };", 1, "'recursion no'"},
        {"controls { };", 1, "'controls'"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct config config;
        struct heard heard;
        struct diag diag;
        assert_int_equal(read_text(cases[i].text, &config, &heard, &diag), 0);
        assert_int_equal(heard.count, 1);
        assert_int_equal(heard.line, cases[i].line);
        assert_non_null(strstr(heard.text, cases[i].says));
        config_release(&config);
    }
}

static void errors(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned line;
        const char *says;
    } cases[] = {
        {"options {\n directory \"/x\"\n};", 3, "expected ';', not '}'"},
        {"options {\n directory ;\n};", 2, "expected a folder, not ';'"},
        {"options {\n directory \"a\";\n directory \"b\"; };", 3, "twice"},
        {"options directory;", 1, "expected '{'"},
        {"options {\n", 2, "expected '}'"},
        {"options { };\n}", 2, "expected a statement, not '}'"},
        {"options { } zone", 1, "expected ';', not 'zone'"},
        {"\n\"options\" { };", 2, "expected a statement"},
        {"logging { a", 1, "unexpected end of file; expected '}'"},
        {"logging", 1, "unexpected end of file; expected ';'"},
        {"options { version }; ", 1, "expected ';' before '}'"},
        {"options { listen-on port 0 { any; }; };", 1, "port '0'"},
        {"options { listen-on port 65536 { any; }; };", 1, "port '65536'"},
        {"options { listen-on port x { any; }; };", 1, "port 'x'"},
        {"options { listen-on any; };", 1, "expected '{' or port, not 'any'"},
        {"options { listen-on { any }; };", 1, "expected ';', not '}'"},
        {"options { recursion; };", 1, "expected yes or no, not ';'"},
        {"zone a { type primary; };", 1, "'file' is missing"},
        {"\nzone a { file b; };", 2, "'type' is missing"},
        {"zone { type primary; };", 1, "expected a zone name, not '{'"},
        {"zone a CH { type primary; file b; };", 1, "class 'CH'"},
        {"zone a { type primary; file b; }\nzone", 2, "expected ';', not 'zone'"},
        {"zone \"a", 1, "unbalanced quotes"},
        {"\n/* never\nends", 2, "needs a */"},
        {"include ;", 1, "expected a file name"},
        {"options { };\nOptions { };", 2, "'options' is there twice"},
        {"options { port 1;\nport 2; };", 2, "'port' is there twice"},
        {"options { port 0; };", 1, "port '0'"},
        {"zone a { type primary; file b;\nfile c; };", 2, "a file name is there twice"},
        {"zone a { type primary;\ntype primary; file b; };", 2, "a zone type is there twice"},
        {"zone a { type nonsense; file b; };", 1, "there is no type 'nonsense'"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct config config;
        struct heard heard;
        struct diag diag;
        char place[128];
        assert_int_equal(read_text(cases[i].text, &config, &heard, &diag), ERR_SYNTAX);
        snprintf(place, sizeof(place), "%s:%u: ", path, cases[i].line);
        print_message("%s\n", diag.message);
        assert_memory_equal(diag.message, place, strlen(place));
        assert_non_null(strstr(diag.message, cases[i].says));
        config_release(&config);
    }
}

static void a_missing_file_is_a_system_error(void **state)
{
    (void)state;
    struct config config;
    struct diag diag = {0};
    const struct conf_warning_sink sink = {.warn = hear};
    assert_int_equal(named_conf_read("/nonexistent/named.conf", &sink, &config, &diag), ERR_SYSTEM);
    config_release(&config);
}

/* A file that includes itself comes to an end. */
static void an_include_loop_is_an_error(void **state)
{
    (void)state;
    struct heard heard = {0};
    struct config config;
    struct diag diag = {0};
    const struct conf_warning_sink sink = {.warn = hear, .context = &heard};
    temporary_file(path, "");
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fprintf(out, "include \"%s\";\n", path);
    fclose(out);
    assert_int_equal(named_conf_read(path, &sink, &config, &diag), ERR_SYNTAX);
    assert_non_null(strstr(diag.message, "include each other"));
    unlink(path);
    config_release(&config);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_file),
        cmocka_unit_test(warnings),
        cmocka_unit_test(errors),
        cmocka_unit_test(a_missing_file_is_a_system_error),
        cmocka_unit_test(an_include_loop_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
