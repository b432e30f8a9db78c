#include "../unit.h"

#include <string.h>

#include "core/attributes.h"
#include "pscope/config.h"

/* The environment of one case: name, value pairs up to a NULL. */
static const char *const *environment;

static char *get(const char *name)
{
    const char *const *pair;

    for (pair = environment; *pair; pair += 2)
        if (strcmp(pair[0], name) == 0)
            return (char *)(uintptr_t)pair[1];
    return NULL;
}

#define PROCESS "LIBPTHREAD_PROCESS_SCOPE"
#define SYSTEM  "LIBPTHREAD_SYSTEM_SCOPE"
#define CPUS    "LIBPTHREAD_VIRTUAL_CPU"
#define QUANTUM "LIBPTHREAD_QUANTUM_US"

static void test_scope(void **state)
{
    static const struct {
        const char *environment[5];
        enum config_scope scope;
    } cases[] = {
        {{NULL}, CONFIG_SCOPE_ATTRIBUTE},
        {{PROCESS, "1", NULL}, CONFIG_SCOPE_PROCESS},
        {{PROCESS, "", NULL}, CONFIG_SCOPE_PROCESS},
        {{PROCESS, "0", NULL}, CONFIG_SCOPE_PROCESS}, /* presence alone counts */
        {{SYSTEM, "", NULL}, CONFIG_SCOPE_SYSTEM},
        {{PROCESS, "1", SYSTEM, "1", NULL}, CONFIG_SCOPE_SYSTEM}, /* as in KSE, system wins */
    };
    size_t i;

    (void)state;
    for (i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct config config;
        char error[200];

        environment = cases[i].environment;
        assert_int_equal(config_read(&config, get, error, sizeof error), 0);
        assert_int_equal(config.scope, cases[i].scope);
        assert_int_equal(config.virtual_cpus, 0);
        assert_int_equal(config.quantum_us, 20000);
        assert_null(config.stats_file);
        assert_false(config.debug);
    }
}

static void test_numbers(void **state)
{
    static const struct {
        const char *name, *value;
        int status;
        unsigned expected;
    } cases[] = {
        {CPUS, "0", 0, 0},
        {CPUS, "1", 0, 1},
        {CPUS, "256", 0, 256},
        {CPUS, "257", -1, 0},
        {CPUS, "99999999", -1, 0},
        {CPUS, "18446744073709551617", -1, 0}, /* 2^64 + 1 must not wrap to 1 */
        {CPUS, "", -1, 0},
        {CPUS, "-1", -1, 0},
        {CPUS, "+1", -1, 0},
        {CPUS, " 1", -1, 0},
        {CPUS, "1 ", -1, 0},
        {CPUS, "0x", -1, 0},
        {CPUS, "0x2", -1, 0},
        {CPUS, "two", -1, 0},
        {QUANTUM, "0", 0, 0},
        {QUANTUM, "60000000", 0, 60000000},
        {QUANTUM, "60000001", -1, 0},
        {QUANTUM, "1e3", -1, 0},
    };
    size_t i;

    (void)state;
    for (i = 0; i < ARRAY_LENGTH(cases); i++) {
        const char *pairs[] = {cases[i].name, cases[i].value, NULL};
        struct config config;
        char error[200] = "";

        environment = pairs;
        assert_int_equal(config_read(&config, get, error, sizeof error), cases[i].status);
        if (cases[i].status == 0) {
            assert_int_equal(strcmp(cases[i].name, CPUS) == 0 ? config.virtual_cpus
                                                              : config.quantum_us,
                             cases[i].expected);
        } else {
            assert_non_null(strstr(error, cases[i].name));
            assert_non_null(strstr(error, cases[i].value));
        }
    }
}

static void test_error_is_one_printable_line(void **state)
{
    const char *pairs[] = {CPUS, "1\n2\033[31m", NULL};
    struct config config;
    char error[200] = "";

    (void)state;
    environment = pairs;
    assert_int_equal(config_read(&config, get, error, sizeof error), -1);
    assert_string_equal(error, "LIBPTHREAD_VIRTUAL_CPU: \"1?2?[31m\" is not a whole number from 0 "
                               "(all CPUs of the affinity mask) to 256");
}

static void test_texts(void **state)
{
    const char *pairs[] = {"LIBPTHREAD_STATS", "file", "LIBPTHREAD_DEBUG", "", NULL};
    const char *empty[] = {"LIBPTHREAD_STATS", "", NULL};
    const char *none[] = {NULL};
    struct config config;
    char error[200];

    (void)state;
    environment = pairs;
    assert_int_equal(config_read(&config, get, error, sizeof error), 0);
    assert_string_equal(config.stats_file, "file");
    assert_true(config.debug);
    environment = empty;
    assert_int_equal(config_read(&config, get, error, sizeof error), -1);
    assert_string_equal(error, "LIBPTHREAD_STATS: empty; the name of a file is right");
    environment = none;
    assert_int_equal(config_read(&config, get, error, sizeof error), 0);
    assert_null(config.stats_file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scope),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_error_is_one_printable_line),
        cmocka_unit_test(test_texts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
