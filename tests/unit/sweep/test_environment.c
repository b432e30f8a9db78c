#include "../unit.h"

#include <string.h>

#include "core/attributes.h"
#include "core/error.h"
#include "sweep/environment.h"

#define TEXT(dnscope, version, kernel, cpu, usable)                                                \
    "{\"dnscope\":\"" dnscope "\",\"started_at\":\"x\",\"target\":{\"version\":\"" version         \
    "\"},\"machine\":{\"kernel\":\"" kernel "\",\"cpu_model\":\"" cpu                              \
    "\",\"topology\":{\"usable\":\"" usable "\"}}}"

static int agree(const char *kept_text, const char *fresh_text, struct diag *diag)
{
    json_t *kept = json_loads(kept_text, 0, NULL);
    json_t *fresh = json_loads(fresh_text, 0, NULL);
    assert_non_null(kept);
    assert_non_null(fresh);
    int status = environment_agree(kept, fresh, diag);
    json_decref(kept);
    json_decref(fresh);
    return status;
}

static void every_part_counts(void **state)
{
    (void)state;
    static const char kept[] = TEXT("1", "named 9", "Linux 6", "EPYC", "0-1");
    static const struct {
        const char *fresh;
        const char *says;
    } cases[] = {
        {TEXT("2", "named 9", "Linux 6", "EPYC", "0-1"), "dnscope: \"1\", now \"2\""},
        {TEXT("1", "named 8", "Linux 6", "EPYC", "0-1"), "version: \"named 9\", now \"named 8\""},
        {TEXT("1", "named 9", "Linux 5", "EPYC", "0-1"), "kernel"},
        {TEXT("1", "named 9", "Linux 6", "Xeon", "0-1"), "processor"},
        {TEXT("1", "named 9", "Linux 6", "EPYC", "0"), "usable CPUs: \"0-1\", now \"0\""},
        {"{}", "dnscope"},
    };
    struct diag same = {0};
    assert_int_equal(agree(kept, kept, &same), 0);
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct diag diag = {0};
        assert_int_equal(agree(kept, cases[i].fresh, &diag), ERR_UNSUPPORTED);
        assert_non_null(strstr(diag.message, cases[i].says));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
