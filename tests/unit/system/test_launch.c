#include "../unit.h"

#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"
#include "core/error.h"
#include "pscope/config.h"
#include "system/environment.h"
#include "system/launch.h"

_Static_assert(LAUNCH_VCPUS_MAX == CONFIG_VIRTUAL_CPUS_MAX, "what libpscope takes");

/* A NULL-terminated environment as one text: "A=1 B=2", in order. */
static void assert_words(char *const *words, const char *expected)
{
    char text[1024] = "";
    for (; words != NULL && *words != NULL; words++) {
        strcat(text, *words);
        strcat(text, words[1] != NULL ? " " : "");
    }
    assert_string_equal(text, expected);
}

static void environments(void **state)
{
    (void)state;
    static const struct {
        enum thread_scope scope;
        unsigned vcpus;
        enum allocator allocator;
        const char *stats;
        const char *inherited[5];
        const char *extra[4];
        const char *expected;
    } cases[] = {
        {0, 0, 0, NULL, {"A=1", "LD_PRELOAD=/x.so", NULL}, {NULL}, "A=1 LD_PRELOAD=/x.so"},
        {0, 0, 0, NULL, {NULL}, {NULL}, ""},
        {THREAD_SCOPE_SYSTEM,
         2,
         ALLOCATOR_LIBC,
         NULL,
         {"A=1", NULL},
         {NULL},
         "A=1 LD_PRELOAD=libc.so.6 LIBPTHREAD_SYSTEM_SCOPE=1"},
        {THREAD_SCOPE_SYSTEM,
         2,
         ALLOCATOR_LIBC,
         "stats.json",
         {"LIBPTHREAD_PROCESS_SCOPE=1", "LIBPTHREAD_VIRTUAL_CPU=3",
          "LD_PRELOAD=/o/libpscope.so.1:/x.so /o/libjemalloc.so.2", NULL},
         {NULL},
         "LD_PRELOAD=libc.so.6:/x.so LIBPTHREAD_SYSTEM_SCOPE=1"},
        {THREAD_SCOPE_SYSTEM,
         1,
         ALLOCATOR_LIBC,
         NULL,
         {"LD_PRELOAD=/o/libpscope.so", NULL},
         {NULL},
         "LD_PRELOAD=libc.so.6 LIBPTHREAD_SYSTEM_SCOPE=1"},
        {THREAD_SCOPE_PROCESS,
         2,
         ALLOCATOR_LIBC,
         "/s.json",
         {"LIBPTHREAD_SYSTEM_SCOPE=", "A=1", NULL},
         {NULL},
         "A=1 LD_PRELOAD=/l/libpscope.so:libc.so.6 LIBPTHREAD_PROCESS_SCOPE=1 "
         "LIBPTHREAD_VIRTUAL_CPU=2 "
         "LIBPTHREAD_STATS=/s.json"},
        {THREAD_SCOPE_PROCESS,
         0,
         ALLOCATOR_JEMALLOC,
         NULL,
         {"LD_PRELOAD=/old/libpscope.so.1:/x.so", "LIBPTHREAD_STATS=kept", NULL},
         {NULL},
         "LIBPTHREAD_STATS=kept LD_PRELOAD=/l/libpscope.so:/l/libjemalloc.so.2:/x.so "
         "LIBPTHREAD_PROCESS_SCOPE=1"},
        /* What the setup does not decide stays. */
        {0,
         0,
         ALLOCATOR_JEMALLOC,
         NULL,
         {"LD_PRELOAD=/old/libpscope.so.1", NULL},
         {NULL},
         "LD_PRELOAD=/l/libjemalloc.so.2:/old/libpscope.so.1"},
        {0, 0, 0, NULL, {"A=1", "B=2", "AB=3", NULL}, {"A=9", "B", "C=", NULL}, "AB=3 A=9 C="},
        {0, 0, 0, NULL, {"no-equals-sign", "A=1=2", NULL}, {NULL}, "A=1=2"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        static const char *const argv[] = {"server", "-p", "53", NULL};
        struct launch_request request = {
            .program = "/bin/server",
            .argv = argv,
            .setup = {.scope = cases[i].scope,
                      .vcpus = cases[i].vcpus,
                      .allocator = cases[i].allocator},
            .libraries = {(char[]){"/l/libpscope.so"}, (char[]){"/l/libjemalloc.so.2"}},
            .inherited = cases[i].inherited,
            .extra = cases[i].extra,
            .stats_path = cases[i].stats,
        };
        struct launch launch;
        struct diag diag = {0};
        assert_int_equal(launch_make(&request, &launch, &diag), 0);
        assert_words(launch.environment, cases[i].expected);
        assert_words(launch.argv, "server -p 53");
        assert_string_equal(launch.program, "/bin/server");
        launch_free(&launch);
    }
}

static void impossible_libraries(void **state)
{
    (void)state;
    const struct {
        char *pscope, *jemalloc;
        enum thread_scope scope;
        enum allocator allocator;
        int status;
        const char *text;
    } cases[] = {
        {NULL, NULL, THREAD_SCOPE_PROCESS, 0, ERR_NOT_FOUND, "libpscope.so was not found"},
        {NULL, NULL, 0, ALLOCATOR_JEMALLOC, ERR_NOT_FOUND, "libjemalloc.so.2 was not found"},
        {(char[]){"/a b/libpscope.so"}, NULL, THREAD_SCOPE_PROCESS, 0, ERR_UNSUPPORTED,
         "a space or a colon"},
        {(char[]){"/a:b/libpscope.so"}, NULL, THREAD_SCOPE_PROCESS, 0, ERR_UNSUPPORTED,
         "a space or a colon"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        static const char *const argv[] = {"server", NULL};
        struct launch_request request = {
            .program = "/bin/server",
            .argv = argv,
            .setup = {.scope = cases[i].scope, .allocator = cases[i].allocator},
            .libraries = {cases[i].pscope, cases[i].jemalloc}};
        struct launch launch;
        struct diag diag = {0};
        assert_int_equal(launch_make(&request, &launch, &diag), cases[i].status);
        assert_non_null(strstr(diag.message, cases[i].text));
        assert_null(launch.argv);
    }
}

static void shell_lines(void **state)
{
    (void)state;
    static const char *const argv[] = {"x", "plain", "a b", "", "it's", "$HOME", "--n=1", NULL};
    static const char *const inherited[] = {"GONE=1", "KEPT=2", "CHANGED=3", NULL};
    static const char *const extra[] = {"GONE", "CHANGED=4 5", NULL};
    struct launch_request request = {.program = "/bin/x",
                                     .argv = argv,
                                     .inherited = inherited,
                                     .extra = extra,
                                     .working_directory = "/tmp/a dir",
                                     .log_path = "/tmp/log"};
    cpu_set_add(&request.setup.cpus, 0);
    cpu_set_add(&request.setup.cpus, 2);
    struct launch launch;
    struct diag diag = {0};
    assert_int_equal(launch_make(&request, &launch, &diag), 0);
    char *line = launch_format(&launch, inherited);
    assert_string_equal(line, "cd '/tmp/a dir' && env -u GONE 'CHANGED=4 5' taskset -c 0,2 /bin/x "
                              "plain 'a b' '' 'it'\\''s' '$HOME' --n=1 </dev/null >>/tmp/log 2>&1");
    free(line);
    launch_free(&launch);
    /* Nothing differs: only the program is left. */
    static const char *const alone[] = {"x", NULL};
    struct launch_request bare = {.program = "/bin/x", .argv = alone, .inherited = inherited};
    assert_int_equal(launch_make(&bare, &launch, &diag), 0);
    line = launch_format(&launch, inherited);
    assert_string_equal(line, "/bin/x");
    free(line);
    launch_free(&launch);
}

static void variables(void **state)
{
    (void)state;
    static const char *const environment[] = {"AB=1", "A=2", "B=", NULL};
    assert_string_equal(environment_get(environment, "A"), "2");
    assert_string_equal(environment_get(environment, "B"), "");
    assert_null(environment_get(environment, "C"));
    assert_null(environment_get(NULL, "A"));
}

static void names(void **state)
{
    (void)state;
    enum thread_scope scope = THREAD_SCOPE_INHERIT;
    enum allocator allocator = ALLOCATOR_INHERIT;
    assert_int_equal(thread_scope_parse("process", &scope), 0);
    assert_int_equal(scope, THREAD_SCOPE_PROCESS);
    assert_int_equal(thread_scope_parse("inherit", &scope), ERR_NOT_FOUND);
    assert_string_equal(thread_scope_name(THREAD_SCOPE_SYSTEM), "system");
    assert_int_equal(allocator_parse("jemalloc", &allocator), 0);
    assert_int_equal(allocator, ALLOCATOR_JEMALLOC);
    assert_int_equal(allocator_parse("", &allocator), ERR_NOT_FOUND);
    assert_string_equal(allocator_name(ALLOCATOR_LIBC), "libc");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(environments), cmocka_unit_test(impossible_libraries),
        cmocka_unit_test(shell_lines),  cmocka_unit_test(variables),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
