#include "../unit.h"

#include <stdio.h>
#include <string.h>

#include "core/attributes.h"
#include "core/error.h"
#include "dns/query_file.h"
#include "dns/wire.h"

/* A reading, with the warnings that came, one a line. */
struct reading {
    struct query_set set;
    struct query_file_counts counts;
    struct diag diag;
    char warnings[2048];
    int status;
};

static const struct query_form plain = {.recursion_desired = true};

static void note_warning(void *context, const char *message)
{
    struct reading *reading = context;
    size_t used = strlen(reading->warnings);
    snprintf(reading->warnings + used, sizeof(reading->warnings) - used, "%s\n", message);
}

static void read_sized(struct reading *reading, const char *text, size_t size, bool skip_invalid,
                       const struct query_form *form)
{
    *reading = (struct reading){.status = 0};
    struct query_file_options options = {
        .name = "q",
        .skip_invalid = skip_invalid,
        .keep_lines = true,
        .warn = note_warning,
        .context = reading,
    };
    query_set_init(&reading->set, form);
    reading->status =
        query_file_parse(text, size, &options, &reading->set, &reading->counts, &reading->diag);
}

static void read_text(struct reading *reading, const char *text, bool skip_invalid)
{
    read_sized(reading, text, strlen(text), skip_invalid, &plain);
}

static void valid_files(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t valid;
        uint64_t directives;
    } cases[] = {
        {"a A\n", 1, 0},
        {"a A", 1, 0},
        {"a\tA\n\n\nb \t AAAA\n", 2, 0},
        {"a A\r\nb A\r\n", 2, 0},
        {"; comment\na A\n;b A\n", 1, 0},
        {"a A ignored text\n", 1, 0},
        {"a A   \n   \n\t\n", 1, 0},
        {";\n#server ns.a\n#port 53\n#maxwait 5\na A\n1.0.0.10.in-addr.arpa PTR\n", 2, 3},
        {"#a A\n", 1, 0},
        {". A\ngoogle.com. A\n", 2, 0},
        {"a TYPE0\na TYPE65280\na ANY\na any\n", 4, 0},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct reading reading;
        read_text(&reading, cases[i].text, false);
        assert_int_equal(reading.status, 0);
        assert_int_equal(reading.counts.valid, cases[i].valid);
        assert_int_equal(reading.set.count, cases[i].valid);
        assert_int_equal(reading.counts.invalid, 0);
        assert_int_equal(reading.counts.directives, cases[i].directives);
        query_set_free(&reading.set);
    }
}

static void directives_warn_once(void **state)
{
    (void)state;
    struct reading reading;
    read_text(&reading, "#server a\n#port 1\na A\n#maxwait 1\n", false);
    assert_non_null(strstr(reading.warnings, "q:1: "));
    assert_ptr_equal(strchr(reading.warnings, '\n') + 1,
                     reading.warnings + strlen(reading.warnings));
    query_set_free(&reading.set);
}

static void invalid_lines_are_placed(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {"a A\nb\n", "q:2: no type after \"b\"; NAME TYPE is right"},
        {"a A\n b A\n", "q:2: the name must begin in column 1"},
        {"a AAA\n", "q:1: unknown type \"AAA\""},
        {"a 65\n", "q:1: unknown type \"65\""},
        {"a TYPE65536\n", "q:1: unknown type \"TYPE65536\""},
        {"\n\n.x A\n", "q:3: name \".x\": the name has an empty label"},
        {"a..b A\n", "q:1: name \"a..b\": the name has an empty label"},
        {"a\\256 A\n", "q:1: name \"a\\256\": an escape \\DDD is at most \\255"},
        {"invalid\\0quote.com A\n", "three decimal digits"},
        {"", "q: no valid query"},
        {"; only\n;comments\n", "q: no valid query"},
        {"\r\n", "q: no valid query"},
        {"\357\273\277a A\n", "q:1: the file begins with a byte-order mark"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct reading reading;
        read_text(&reading, cases[i].text, false);
        assert_int_equal(reading.status, ERR_SYNTAX);
        assert_non_null(strstr(reading.diag.message, cases[i].message));
        query_set_free(&reading.set);
    }
}

static void invalid_lines_are_skipped_on_demand(void **state)
{
    (void)state;
    struct reading reading;
    read_text(&reading, "google.com TYPE0\nb\ngoogle.com TYPE99999999 x\ngoogle.com ANY", true);
    assert_int_equal(reading.status, 0);
    assert_int_equal(reading.counts.valid, 2);
    assert_int_equal(reading.counts.invalid, 2);
    assert_non_null(strstr(reading.warnings, "q:2: "));
    assert_non_null(strstr(reading.warnings, "q:3: "));
    assert_int_equal(reading.set.lines[1].length, strlen("google.com ANY"));
    assert_memory_equal(reading.set.lines[1].text, "google.com ANY", 14);
    query_set_free(&reading.set);

    read_text(&reading, "google.com\nidnes.cz\n", true);
    assert_int_equal(reading.status, ERR_SYNTAX);
    assert_int_equal(reading.counts.invalid, 2);
    query_set_free(&reading.set);
}

static void binary_data_is_no_query_file(void **state)
{
    (void)state;
    static const char binary[] = "\0\1\2 A\n\377\377\n";
    struct reading reading;
    read_sized(&reading, binary, sizeof(binary) - 1, false, &plain);
    assert_int_equal(reading.status, ERR_SYNTAX);
    query_set_free(&reading.set);
}

static void messages_are_complete(void **state)
{
    (void)state;
    /* RFC 1035 4.1: ID, flags with RD, one question; name, type, class. */
    static const char expected[] = "\0\0\1\0\0\1\0\0\0\0\0\0\1a\0\0\34\0\1";
    struct reading reading;
    read_text(&reading, "x A\na AAAA\n", false);
    const struct query *query = &reading.set.queries[1];
    assert_int_equal(query->size_bytes, sizeof(expected) - 1);
    assert_memory_equal(query_set_wire(&reading.set, query), expected, sizeof(expected) - 1);
    query_set_free(&reading.set);
}

static void edns_is_appended(void **state)
{
    (void)state;
    /* RFC 6891 6.1.2: root, 41, size 4096, TTL with DO (RFC 3225), one option 3 without data. */
    static const char expected[] = "\0\0\51\20\0\0\0\200\0\0\4\0\3\0\0";
    static const uint8_t option[] = {0, 3, 0, 0};
    struct query_form form = {
        .edns = true,
        .dnssec_ok = true,
        .udp_payload_bytes = 4096,
        .options = option,
        .options_size_bytes = sizeof(option),
    };
    struct reading reading;
    read_sized(&reading, "a A", 3, false, &form);
    const struct query *query = &reading.set.queries[0];
    const uint8_t *wire = query_set_wire(&reading.set, query);
    assert_int_equal(query->size_bytes, 19 + 15);
    assert_int_equal(wire_get_u16(wire + 2), 0);
    assert_int_equal(wire_get_u16(wire + 10), 1);
    assert_memory_equal(wire + 19, expected, 15);
    query_set_free(&reading.set);
}

static void many_queries_keep_their_places(void **state)
{
    (void)state;
    static char text[100000];
    size_t used = 0;
    for (unsigned i = 0; i < 5000; i++) {
        used += (size_t)snprintf(text + used, sizeof(text) - used, "n%u.a A\n", i);
    }
    struct reading reading;
    read_text(&reading, text, false);
    assert_int_equal(reading.set.count, 5000);
    const struct query *last = &reading.set.queries[4999];
    assert_memory_equal(query_set_wire(&reading.set, last) + 12, "\5n4999\1a\0", 9);
    query_set_free(&reading.set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_files),
        cmocka_unit_test(directives_warn_once),
        cmocka_unit_test(invalid_lines_are_placed),
        cmocka_unit_test(invalid_lines_are_skipped_on_demand),
        cmocka_unit_test(binary_data_is_no_query_file),
        cmocka_unit_test(messages_are_complete),
        cmocka_unit_test(edns_is_appended),
        cmocka_unit_test(many_queries_keep_their_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
