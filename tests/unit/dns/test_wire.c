#include "../unit.h"

#include "dns/wire.h"

static void reads_in_order_and_stops_at_the_end(void **state)
{
    (void)state;
    const uint8_t octets[] = {1, 2, 3, 4, 5, 6, 7};
    struct wire_reader reader = wire_reader_make(octets, sizeof(octets));
    assert_int_equal(wire_read_u8(&reader), 1);
    assert_int_equal(wire_read_u16(&reader), 0x0203);
    assert_int_equal(wire_read_u32(&reader), 0x04050607);
    assert_false(reader.failed);
    assert_ptr_equal(wire_read(&reader, 0), octets + sizeof(octets));
    assert_int_equal(wire_read_u8(&reader), 0);
    assert_true(reader.failed);
    assert_null(wire_read(&reader, 0));
}

static void a_failed_read_takes_nothing(void **state)
{
    (void)state;
    const uint8_t octets[] = {1, 2, 3};
    struct wire_reader reader = wire_reader_make(octets, sizeof(octets));
    assert_int_equal(wire_read_u32(&reader), 0);
    assert_int_equal(wire_read_u8(&reader), 0);
    assert_true(reader.failed);
    struct wire_reader huge = wire_reader_make(octets, sizeof(octets));
    assert_int_equal(wire_read_u8(&huge), 1);
    assert_null(wire_read(&huge, SIZE_MAX));
}

static void writes_in_order_and_never_past_the_end(void **state)
{
    (void)state;
    uint8_t octets[8] = {0, 0, 0, 0, 0, 0, 0, 0xee};
    struct wire_writer writer = wire_writer_make(octets, 7);
    wire_write_u8(&writer, 1);
    wire_write_u16(&writer, 0x0203);
    wire_write_u32(&writer, 0x04050607);
    assert_false(writer.failed);
    assert_memory_equal(octets, "\1\2\3\4\5\6\7\xee", 8);
    wire_write_u8(&writer, 9);
    assert_true(writer.failed);
    assert_int_equal(writer.at, 7);
    assert_int_equal(octets[7], 0xee);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_in_order_and_stops_at_the_end),
        cmocka_unit_test(a_failed_read_takes_nothing),
        cmocka_unit_test(writes_in_order_and_never_past_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
