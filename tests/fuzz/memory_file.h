/* A fuzzer's octets as a file that has a path, for what reads files by name. */
#ifndef TESTS_MEMORY_FILE_H
#define TESTS_MEMORY_FILE_H

#include <stddef.h>

#define MEMORY_FILE_PATH_BYTES 32

/* Fills `path`; the file goes when the returned descriptor is closed. Ends the program on failure.
 */
int memory_file(const void *data, size_t size, char path[MEMORY_FILE_PATH_BYTES]);

#endif
