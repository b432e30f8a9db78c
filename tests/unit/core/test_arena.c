#include "../unit.h"

#include <stdalign.h>
#include <string.h>

#include "core/arena.h"

static void pieces_are_zeroed_aligned_and_apart(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    unsigned char *pieces[1000];
    for (size_t i = 0; i < 1000; i++) {
        size_t size = i * 7 % 300;
        pieces[i] = arena_allocate(arena, size);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % alignof(max_align_t), 0);
        for (size_t k = 0; k < size; k++) {
            assert_int_equal(pieces[i][k], 0);
        }
        memset(pieces[i], (int)i, size);
    }
    for (size_t i = 0; i < 1000; i++) {
        for (size_t k = 0; k < i * 7 % 300; k++) {
            assert_int_equal(pieces[i][k], (unsigned char)i);
        }
    }
    arena_free(arena);
}

static void large_and_empty_pieces(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    assert_non_null(arena_copy(arena, NULL, 0)); /* the first of an empty arena */
    unsigned char *large = arena_allocate(arena, 1000000);
    assert_non_null(large);
    large[999999] = 1;
    assert_string_equal(arena_copy(arena, "text", 5), "text");
    assert_null(arena_allocate(arena, SIZE_MAX));
    assert_string_equal(arena_copy(arena, "more", 5), "more");
    arena_free(arena);
    arena_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_zeroed_aligned_and_apart),
        cmocka_unit_test(large_and_empty_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
