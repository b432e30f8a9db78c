#include "../unit.h"

#include <string.h>

#include "core/error.h"
#include "dns/rr_type.h"

/* Numbers from IANA's registry "Resource Record (RR) TYPEs". */
static void types_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int status;
        uint16_t type;
    } cases[] = {
        {"A", 0, 1},
        {"a", 0, 1},
        {"AAAA", 0, 28},
        {"aAaA", 0, 28},
        {"NS", 0, 2},
        {"SOA", 0, 6},
        {"MX", 0, 15},
        {"PTR", 0, 12},
        {"TXT", 0, 16},
        {"CNAME", 0, 5},
        {"NSEC", 0, 47},
        {"NSEC3", 0, 50},
        {"NSEC3PARAM", 0, 51},
        {"NSAP-PTR", 0, 23},
        {"HTTPS", 0, 65},
        {"SVCB", 0, 64},
        {"ANY", 0, 255},
        {"X25", 0, 19},
        {"ZONEMD", 0, 63},
        {"DLV", 0, 32769},
        {"TYPE0", 0, 0},
        {"TYPE1", 0, 1},
        {"type65280", 0, 65280},
        {"TYPE65535", 0, 65535},
        {"TYPE65536", ERR_RANGE, 0},
        {"TYPE99999999", ERR_RANGE, 0},
        {"TYPE", ERR_NOT_FOUND, 0},
        {"TYPE-1", ERR_NOT_FOUND, 0},
        {"TYPE1x", ERR_NOT_FOUND, 0},
        {"AAA", ERR_NOT_FOUND, 0},
        {"AAAAA", ERR_NOT_FOUND, 0},
        {"65", ERR_NOT_FOUND, 0},
        {"", ERR_NOT_FOUND, 0},
        {"AVERYLONGWORDTHATISNOTYPEATALL", ERR_NOT_FOUND, 0},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        uint16_t type = 0;
        assert_int_equal(rr_type_parse(cases[i].text, strlen(cases[i].text), &type),
                         cases[i].status);
        assert_int_equal(type, cases[i].type);
    }
}

static void a_name_ends_at_its_length(void **state)
{
    (void)state;
    uint16_t type = 0;
    assert_int_equal(rr_type_parse("AAAA", 1, &type), 0);
    assert_int_equal(type, 1);
    assert_int_equal(rr_type_parse("A\0", 2, &type), ERR_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_by_name),
        cmocka_unit_test(a_name_ends_at_its_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
