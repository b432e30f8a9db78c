#include "../temporary.h"
#include "../unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/file.h"

static char folder[TEMPORARY_PATH_BYTES]; /* made by set_up, for all tests of this program */

static int set_up(void **state)
{
    (void)state;
    temporary_folder(folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    temporary_remove(folder);
    return 0;
}

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return path;
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    struct diag diag = {0};
    struct bytes bytes;
    size_t size = 300000;
    char *data = malloc(size);
    assert_non_null(data);
    memset(data, 'a', size);
    assert_int_equal(file_write_atomic(path_of("f"), data, size, &diag), 0);
    assert_int_equal(file_append_synced(path_of("f"), "tail", 4, &diag), 0);
    assert_int_equal(file_read_all(path_of("f"), &bytes, &diag), 0);
    assert_int_equal(bytes.size, size + 4);
    assert_memory_equal(bytes.data, data, size);
    assert_string_equal(bytes.data + size, "tail");
    assert_int_equal(file_write_atomic(path_of("f"), "new", 3, &diag), 0);
    bytes_free(&bytes);
    assert_int_equal(file_read_all(path_of("f"), &bytes, &diag), 0);
    assert_string_equal(bytes.data, "new");
    bytes_free(&bytes);
    free(data);
}

static void failures_name_the_file(void **state)
{
    (void)state;
    struct bytes bytes;
    struct diag missing = {0};
    assert_int_equal(file_read_all(path_of("none"), &bytes, &missing), ERR_SYSTEM);
    assert_non_null(strstr(missing.message, "/none: cannot open: No such file"));
    struct diag is_folder = {0};
    assert_int_equal(file_read_all(folder, &bytes, &is_folder), ERR_SYSTEM);
    struct diag no_folder = {0};
    assert_int_equal(file_write_atomic(path_of("no/f"), "x", 1, &no_folder), ERR_SYSTEM);
    struct diag no_append = {0};
    assert_int_equal(file_append_synced(path_of("no/f"), "x", 1, &no_append), ERR_SYSTEM);
}

static void a_new_content_keeps_the_mode_and_takes_no_neighbour(void **state)
{
    (void)state;
    struct diag diag = {0};
    struct bytes bytes;
    struct stat info;
    mode_t mask = umask(027);
    assert_int_equal(file_write_atomic(path_of("neighbour.tmp"), "mine", 4, &diag), 0);
    assert_int_equal(stat(path_of("neighbour.tmp"), &info), 0);
    umask(mask);
    assert_int_equal(info.st_mode & 07777, 0640);
    assert_int_equal(file_write_atomic(path_of("neighbour"), "1", 1, &diag), 0);
    assert_int_equal(chmod(path_of("neighbour"), 0604), 0);
    assert_int_equal(file_write_atomic(path_of("neighbour"), "2", 1, &diag), 0);
    assert_int_equal(stat(path_of("neighbour"), &info), 0);
    assert_int_equal(info.st_mode & 07777, 0604);
    assert_int_equal(file_read_all(path_of("neighbour.tmp"), &bytes, &diag), 0);
    assert_string_equal(bytes.data, "mine");
    bytes_free(&bytes);
}

static void empty_file(void **state)
{
    (void)state;
    struct diag diag = {0};
    struct bytes bytes;
    assert_int_equal(file_write_atomic(path_of("empty"), "", 0, &diag), 0);
    assert_int_equal(file_read_all(path_of("empty"), &bytes, &diag), 0);
    assert_int_equal(bytes.size, 0);
    assert_string_equal(bytes.data, "");
    bytes_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(failures_name_the_file),
        cmocka_unit_test(a_new_content_keeps_the_mode_and_takes_no_neighbour),
        cmocka_unit_test(empty_file),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
