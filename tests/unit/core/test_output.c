#include "../temporary.h"
#include "../unit.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"
#include "core/output.h"

static char folder[TEMPORARY_PATH_BYTES]; /* made by set_up, for all tests here */

static int set_up(void **state)
{
    (void)state;
    temporary_folder(folder);
    return chdir(folder);
}

static int tear_down(void **state)
{
    (void)state;
    temporary_remove(folder);
    return 0;
}

static int write_to(const char *path, const char *text)
{
    struct diag diag = {0};
    struct output output;
    int status = output_open(&output, path, &diag);
    return status == 0 ? output_write(&output, text, strlen(text), &diag) : status;
}

static void assert_content(const char *path, const char *text)
{
    struct diag diag = {0};
    struct bytes bytes;
    assert_int_equal(file_read_all(path, &bytes, &diag), 0);
    assert_string_equal(bytes.data, text);
    bytes_free(&bytes);
}

static struct stat info_of(const char *path)
{
    struct stat info;
    assert_int_equal(lstat(path, &info), 0);
    return info;
}

static void a_file_keeps_what_it_is(void **state)
{
    (void)state;
    assert_int_equal(write_to("file", "a long first content"), 0);
    assert_int_equal(chmod("file", 0604), 0);
    assert_int_equal(symlink("file", "link"), 0);
    ino_t inode = info_of("file").st_ino;
    assert_int_equal(write_to("link", "new"), 0);
    assert_content("file", "new");
    assert_true(S_ISLNK(info_of("link").st_mode));
    assert_int_equal(info_of("file").st_mode & 07777, 0604);
    assert_int_equal(info_of("file").st_ino, inode);
    assert_int_equal(symlink("later", "dangling"), 0);
    assert_int_equal(write_to("dangling", "x"), 0);
    assert_content("later", "x");
}

static void *read_fifo(void *unused)
{
    (void)unused;
    assert_content("fifo", "through");
    return NULL;
}

static void a_fifo_is_written_and_stays(void **state)
{
    (void)state;
    pthread_t reader;
    assert_int_equal(mkfifo("fifo", 0600), 0);
    assert_int_equal(pthread_create(&reader, NULL, read_fifo, NULL), 0);
    assert_int_equal(write_to("fifo", "through"), 0);
    assert_int_equal(pthread_join(reader, NULL), 0);
    assert_true(S_ISFIFO(info_of("fifo").st_mode));
}

static void a_descriptor_has_a_path(void **state)
{
    (void)state;
    int ends[2];
    char path[32];
    char text[8] = "";
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof(path), "/dev/fd/%d", ends[1]);
    assert_int_equal(write_to(path, "pipe"), 0);
    assert_int_equal(read(ends[0], text, sizeof(text)), 4);
    assert_string_equal(text, "pipe");
    close(ends[0]);
    close(ends[1]);
}

/* Copies of the nodes, lest a fault replaces the machine's own. */
static void devices_stay_and_a_full_one_is_an_error(void **state)
{
    (void)state;
    if (mknod("full", S_IFCHR | 0600, makedev(1, 7)) != 0 ||
        mknod("null", S_IFCHR | 0600, makedev(1, 3)) != 0 || access("full", W_OK) != 0) {
        skip();
    }
    int fd = open("null", O_WRONLY);
    if (fd < 0) {
        skip(); /* a file system without devices */
    }
    close(fd);
    assert_int_equal(write_to("null", "x"), 0);
    assert_int_equal(write_to("full", "x"), ERR_SYSTEM);
    assert_true(S_ISCHR(info_of("null").st_mode));
    assert_true(S_ISCHR(info_of("full").st_mode));
}

static void what_is_not_written_leaves_nothing(void **state)
{
    (void)state;
    struct diag diag = {0};
    struct output output;
    assert_int_equal(write_to("kept", "old"), 0);
    assert_int_equal(output_open(&output, "kept", &diag), 0);
    output_discard(&output);
    assert_content("kept", "old");
    assert_int_equal(output_open(&output, "made", &diag), 0);
    output_discard(&output);
    assert_int_equal(access("made", F_OK), -1);
    assert_int_equal(output_open(&output, "no/folder", &diag), ERR_SYSTEM);
    assert_non_null(strstr(diag.message, "no/folder: cannot write: No such file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_keeps_what_it_is),
        cmocka_unit_test(a_fifo_is_written_and_stays),
        cmocka_unit_test(a_descriptor_has_a_path),
        cmocka_unit_test(devices_stay_and_a_full_one_is_an_error),
        cmocka_unit_test(what_is_not_written_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
