/* Other machines as trees of files: hwloc reads them below HWLOC_FSROOT. */
#ifndef TESTS_CPU_DUMP_H
#define TESTS_CPU_DUMP_H

#include "../temporary.h"
#include "cpu/topology.h"

/* Where a program's trees are; from dump_set_up() to dump_tear_down(). */
extern char dump_folder[TEMPORARY_PATH_BYTES];

/* Group fixtures of cmocka. */
int dump_set_up(void **state);
int dump_tear_down(void **state);

/* The topology of the tree below `root`, which must have one. The caller frees it. */
void dump_load(const char *root, struct topology *topology);

#endif
