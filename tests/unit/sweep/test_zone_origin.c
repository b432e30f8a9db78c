#include "../unit.h"

#include <stdlib.h>
#include <string.h>

#include "core/attributes.h"
#include "sweep/zone_origin.h"

static void finds_the_owner_of_the_soa(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *origin; /* NULL: not in the file */
    } cases[] = {
        {"$ORIGIN example.com.\n@ IN SOA a b 1 1 1 1 1\n", "example.com."},
        {"; comment\n$TTL 3600\nexample.com. 3600 IN SOA a b 1 1 1 1 1\n", "example.com."},
        {"example.com. SOA a b 1 1 1 1 1", "example.com."},
        {"$ORIGIN com.\nexample\tIN\tSOA a b 1 1 1 1 1\n", "example.com."},
        {"$ORIGIN com.\n$ORIGIN example\n@ soa a b 1 1 1 1 1\n", "example.com."},
        {"$ORIGIN example.\r\n@\tIN\tSOA\ta b 1 1 1 1 1\r\n", "example."},
        {"$ORIGIN .\ncom IN SOA a b 1 1 1 1 1\n", "com."},
        {". 86400 IN SOA a b 1 1 1 1 1\n", "."},
        {"$origin example. ; the zone\n IN SOA a b 1 1 1 1 1\n", "example."},
        {"a\\;b.example. IN SOA a b 1 1 1 1 1\n", "a\\;b.example."},
        {"@ IN SOA a b 1 1 1 1 1\n", NULL},
        {"example.com IN SOA a b 1 1 1 1 1\n", NULL},
        {"example. A 192.0.2.1\n", NULL},
        {"; example. IN SOA a b\n", NULL},
        {"soa.example. A 192.0.2.1\n", NULL},
        {"\n\n", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        char *origin = zone_origin_find(cases[i].text, strlen(cases[i].text));
        if (cases[i].origin == NULL) {
            assert_null(origin);
        } else {
            assert_non_null(origin);
            assert_string_equal(origin, cases[i].origin);
        }
        free(origin);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_the_owner_of_the_soa)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
