#include "temporary.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

static const char template[TEMPORARY_PATH_BYTES] = "/tmp/dnscope-test.XXXXXX";

void temporary_file(char path[TEMPORARY_PATH_BYTES], const char *text)
{
    strcpy(path, template);
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
}

void temporary_folder(char path[TEMPORARY_PATH_BYTES])
{
    strcpy(path, template);
    assert_non_null(mkdtemp(path));
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *walk)
{
    (void)info;
    (void)type;
    (void)walk;
    return remove(path);
}

void temporary_remove(const char *path)
{
    assert_int_equal(nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS), 0);
}
