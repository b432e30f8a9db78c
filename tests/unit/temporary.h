/* Files and folders below /tmp for unit tests. What fails, fails the test. */
#ifndef TESTS_TEMPORARY_H
#define TESTS_TEMPORARY_H

/* Room for the path of one. */
#define TEMPORARY_PATH_BYTES 32

/* Makes a file that holds `text`. The caller unlinks it. */
void temporary_file(char path[TEMPORARY_PATH_BYTES], const char *text);

/* Makes an empty folder. The caller removes it with temporary_remove(). */
void temporary_folder(char path[TEMPORARY_PATH_BYTES]);

/* Removes a folder and all in it; links are not followed. */
void temporary_remove(const char *path);

#endif
