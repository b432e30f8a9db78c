#include "../unit.h"

#include "core/clock.h"
#include "core/error.h"
#include "load/id_table.h"

#define TIMEOUT_NS (5 * NS_PER_S)

static struct id_table new_table(uint32_t slots)
{
    struct id_table table;
    assert_int_equal(id_table_init(&table, slots, TIMEOUT_NS), 0);
    return table;
}

static struct id_slot *take(struct id_table *table, uint32_t query, uint64_t now_ns)
{
    struct id_slot *slot = id_table_take(table, query, now_ns);
    assert_non_null(slot);
    assert_int_equal(slot->query, query);
    return slot;
}

static void an_id_comes_again_after_all_others(void **state)
{
    (void)state;
    struct id_table table = new_table(ID_TABLE_MAX_SLOTS);
    for (uint32_t i = 0; i < 2 * ID_TABLE_MAX_SLOTS; i++) {
        struct id_slot *slot = take(&table, i, i);
        assert_int_equal(id_slot_id(slot), i % 65536);
        assert_ptr_equal(id_table_find(&table, id_slot_id(slot)), slot);
        id_table_end(&table, slot, ID_DONE);
    }
    id_table_free(&table);
}

/* A small table uses all 65536 IDs, too, and knows a stale one from the present one. */
static void a_small_table_forgets_but_does_not_confuse(void **state)
{
    (void)state;
    struct id_table table = new_table(4);
    assert_null(id_table_find(&table, 0));
    for (uint32_t i = 0; i < 6; i++) {
        id_table_end(&table, take(&table, i, i), ID_DONE);
    }
    assert_null(id_table_find(&table, 0));
    assert_null(id_table_find(&table, 1));
    assert_int_equal(id_table_find(&table, 2)->query, 2);
    assert_int_equal(id_table_find(&table, 5)->query, 5);
    assert_null(id_table_find(&table, 6));
    id_table_free(&table);
}

static void no_more_in_flight_than_slots(void **state)
{
    (void)state;
    struct id_table table = new_table(4);
    struct id_slot *slots[4];
    for (uint32_t i = 0; i < 4; i++) {
        slots[i] = take(&table, i, 0);
    }
    assert_null(id_table_take(&table, 4, 0));
    assert_int_equal(table.in_flight, 4);
    id_table_end(&table, slots[2], ID_DONE);
    assert_ptr_equal(take(&table, 4, 0), slots[2]);
    assert_null(id_table_take(&table, 5, 0));
    id_table_free(&table);
}

static void a_lost_id_rests_for_a_timeout(void **state)
{
    (void)state;
    struct id_table table = new_table(2);
    struct id_slot *lost = take(&table, 1, 100);
    id_table_end(&table, lost, ID_LOST);
    struct id_slot *other = take(&table, 2, 100);
    assert_ptr_not_equal(lost, other);
    assert_null(id_table_take(&table, 3, 100 + 2 * TIMEOUT_NS - 1));
    assert_int_equal(id_table_find(&table, 0)->state, ID_LOST);
    assert_ptr_equal(take(&table, 3, 100 + 2 * TIMEOUT_NS), lost);
    id_table_free(&table);
}

static void the_oldest_comes_first(void **state)
{
    (void)state;
    struct id_table table = new_table(8);
    assert_null(id_table_oldest(&table));
    struct id_slot *slots[3];
    for (uint32_t i = 0; i < 3; i++) {
        slots[i] = take(&table, i, i);
    }
    assert_ptr_equal(id_table_oldest(&table), slots[0]);
    id_table_end(&table, slots[1], ID_DONE);
    assert_ptr_equal(id_table_oldest(&table), slots[0]);
    id_table_end(&table, slots[0], ID_LOST);
    assert_ptr_equal(id_table_oldest(&table), slots[2]);
    id_table_end(&table, slots[2], ID_DONE);
    assert_null(id_table_oldest(&table));
    id_table_free(&table);
}

/* One query stays while all other IDs go round many times. */
static void a_slow_query_is_passed_over(void **state)
{
    (void)state;
    struct id_table table = new_table(4);
    struct id_slot *slow = take(&table, 7, 0);
    for (uint32_t i = 0; i < 1000; i++) {
        struct id_slot *slot = take(&table, i, 1);
        assert_ptr_not_equal(slot, slow);
        assert_ptr_equal(id_table_oldest(&table), slow);
        id_table_end(&table, slot, ID_DONE);
    }
    assert_ptr_equal(id_table_find(&table, 0), slow);
    id_table_end(&table, slow, ID_DONE);
    assert_null(id_table_oldest(&table));
    id_table_free(&table);
}

static void what_was_not_sent_is_undone(void **state)
{
    (void)state;
    struct id_table table = new_table(4);
    struct id_slot *sent = take(&table, 0, 0);
    struct id_slot *unsent = take(&table, 1, 0);
    take(&table, 2, 0);
    id_table_untake(&table, unsent);
    assert_int_equal(table.in_flight, 1);
    assert_null(id_table_find(&table, 1));
    assert_null(id_table_find(&table, 2));
    assert_ptr_equal(id_table_oldest(&table), sent);
    struct id_slot *again = take(&table, 1, 5);
    assert_ptr_equal(again, unsent);
    assert_int_equal(id_slot_id(again), 1);
    id_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_id_comes_again_after_all_others),
        cmocka_unit_test(a_small_table_forgets_but_does_not_confuse),
        cmocka_unit_test(no_more_in_flight_than_slots),
        cmocka_unit_test(a_lost_id_rests_for_a_timeout),
        cmocka_unit_test(the_oldest_comes_first),
        cmocka_unit_test(a_slow_query_is_passed_over),
        cmocka_unit_test(what_was_not_sent_is_undone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
