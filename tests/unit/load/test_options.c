#include "../unit.h"

#include <string.h>
#include <sys/socket.h>

#include "core/attributes.h"
#include "load/options.h"

static int parse(struct load_options *options, struct diag *diag, const char *words)
{
    static char text[256];
    char *argv[64] = {(char[]){"load"}};
    int argc = 1;
    *diag = (struct diag){0};
    strncpy(text, words, sizeof(text) - 1);
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
        argv[argc++] = word;
    }
    return load_options_parse(argc, argv, options, diag);
}

/* dnsperf(1): the defaults. */
static void defaults_are_dnsperfs(void **state)
{
    (void)state;
    struct load_options options;
    struct diag diag;
    assert_int_equal(parse(&options, &diag, ""), 0);
    assert_string_equal(options.server, "127.0.0.1");
    assert_int_equal(options.port, 53);
    assert_int_equal(options.family, AF_UNSPEC);
    assert_string_equal(options.query_file, "-");
    assert_int_equal(options.clients, 1);
    assert_int_equal(options.threads, 1);
    assert_int_equal(options.outstanding, 100);
    assert_int_equal(options.runs, 1);
    assert_true(options.time_limit_s == 0);
    assert_true(options.timeout_s == 5);
    assert_true(options.form.recursion_desired);
    assert_false(options.form.edns);
}

static void values_are_taken(void **state)
{
    (void)state;
    struct load_options options;
    struct diag diag;
    assert_int_equal(parse(&options, &diag,
                           "-s ::1 -p 5300 -f inet6 -d q -c 24 -T 6 -q 1000 -l 2.5 -t 0.25 -b 512 "
                           "-S 1 -v -W -a ::2 -x 4000 -m udp --warmup 0.5 --json - "
                           "--skip-invalid"),
                     0);
    assert_string_equal(options.server, "::1");
    assert_int_equal(options.port, 5300);
    assert_int_equal(options.family, AF_INET6);
    assert_string_equal(options.query_file, "q");
    assert_int_equal(options.clients, 24);
    assert_int_equal(options.threads, 6);
    assert_int_equal(options.outstanding, 1000);
    assert_true(options.time_limit_s == 2.5 && options.timeout_s == 0.25);
    assert_true(options.warmup_s == 0.5 && options.interval_s == 1);
    assert_int_equal(options.runs, 0);
    assert_int_equal(options.buffer_kib, 512);
    assert_true(options.verbose && options.warnings_on_stdout && options.skip_invalid);
    assert_string_equal(options.local_address, "::2");
    assert_int_equal(options.local_port, 4000);
    assert_string_equal(options.json_path, "-");
}

static void edns_options_are_collected(void **state)
{
    (void)state;
    struct load_options options;
    struct diag diag;
    assert_int_equal(parse(&options, &diag, "-D -E 3: -E 10:0aFF"), 0);
    assert_true(options.form.edns && options.form.dnssec_ok);
    assert_int_equal(options.form.options_size_bytes, 10);
    assert_memory_equal(options.form.options, "\0\3\0\0\0\12\0\2\12\377", 10);
}

static void all_message_ids_can_be_used(void **state)
{
    (void)state;
    struct load_options options;
    struct diag diag;
    assert_int_equal(parse(&options, &diag, "-q 65536"), 0);
    assert_int_equal(parse(&options, &diag, "-q 131072 -c 2"), 0);
}

static void all_ports_can_be_used(void **state)
{
    (void)state;
    struct load_options options;
    struct diag diag;
    assert_int_equal(parse(&options, &diag, "-x 65535"), 0);
    assert_int_equal(parse(&options, &diag, "-x 65534 -c 2"), 0);
    assert_int_not_equal(parse(&options, &diag, "-x 65534 -c 3"), 0);
}

/* The one word that each message must have; the messages themselves are in the bats tests. */
static void wrong_ones_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        const char *message;
    } cases[] = {
        {"-c 1x", "-c 1x"},
        {"-c 65536", "-c 65536"},
        {"-T 0", "-T 0"},
        {"-q 0", "-q 0"},
        {"-n 0", "-n 0"},
        {"-p 0", "-p 0"},
        {"-l -1", "-l -1"},
        {"-S 0", "-S 0"},
        {"--warmup x", "--warmup x"},
        {"-E :00", "-E :00"},
        {"-E 65536:", "-E 65536:"},
        {"-E 3:0", "-E 3:0"},
        {"-E 3:0g", "-E 3:0g"},
        {"-Q 100", "wrong option -Q"},
        {"-m dot", "-m dot"},
        {"-q 65537", "a client has 65536 message IDs; at least 2 clients"},
        {"-q 131073 -c 2", "at least 3 clients"},
        {"-l 9999999999", "from 0.000001 to 3153600000 are right"},
        {"-t 9999999999", "from 0.000001 to 3153600000 are right"},
        {"-l 0.0000001", "from 0.000001 to 3153600000 are right"},
        {"--warmup 9999999999", "from 0 to 3153600000 are right"},
        {"--scope x", "--scope x"},
        {"--vcpus 2", "--scope process"},
        {"--scope process --vcpus 0", "--vcpus 0"},
        {"--scope process --vcpus 257", "--vcpus 257: a number from 1 to 256"},
        {"extra", "\"extra\""},
        {"--jso", "missing after --jso"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct load_options options;
        struct diag diag;
        assert_int_not_equal(parse(&options, &diag, cases[i].words), 0);
        if (strstr(diag.message, cases[i].message) == NULL) {
            fail_msg("%s: %s", cases[i].words, diag.message);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_dnsperfs),      cmocka_unit_test(values_are_taken),
        cmocka_unit_test(edns_options_are_collected), cmocka_unit_test(all_message_ids_can_be_used),
        cmocka_unit_test(all_ports_can_be_used),      cmocka_unit_test(wrong_ones_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
