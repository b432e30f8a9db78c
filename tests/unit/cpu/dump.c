#include "dump.h"

#include <stdlib.h>

#include "../unit.h"

/* Fixtures and tests of one program share it. */
char dump_folder[TEMPORARY_PATH_BYTES];

int dump_set_up(void **state)
{
    (void)state;
    setenv("HWLOC_HIDE_ERRORS", "2", 1);
    temporary_folder(dump_folder);
    return 0;
}

int dump_tear_down(void **state)
{
    (void)state;
    temporary_remove(dump_folder);
    return 0;
}

void dump_load(const char *root, struct topology *topology)
{
    struct diag diag = {0};
    setenv("HWLOC_FSROOT", root, 1);
    int status = topology_load(topology, &diag);
    unsetenv("HWLOC_FSROOT");
    if (status != 0) {
        print_error("%s: %s\n", root, diag.message);
    }
    assert_int_equal(status, 0);
}
