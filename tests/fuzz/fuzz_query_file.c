/* Any bytes are a query file or are refused, and what is taken is a message of one question. */
#include <stddef.h>
#include <stdint.h>

#include "core/check.h"
#include "dns/protocol.h"
#include "dns/query_file.h"
#include "dns/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_message(const struct query_set *set, size_t index)
{
    const struct query *query = &set->queries[index];
    struct wire_reader reader = wire_reader_make(query_set_wire(set, query), query->size_bytes);
    wire_read(&reader, DNS_HEADER_BYTES);
    size_t begin = reader.at;
    for (uint8_t length = wire_read_u8(&reader); length != 0; length = wire_read_u8(&reader)) {
        CHECK(length <= DNS_LABEL_MAX_BYTES);
        wire_read(&reader, length);
    }
    CHECK(reader.at - begin <= DNS_NAME_MAX_BYTES);
    wire_read_u32(&reader);
    CHECK(!reader.failed && reader.at == reader.size);
}

static void read_file(const uint8_t *data, size_t size, bool skip_invalid)
{
    struct query_file_options options = {
        .name = "f",
        .skip_invalid = skip_invalid,
        .keep_lines = true,
    };
    const struct query_form form = {.recursion_desired = true};
    struct query_file_counts counts;
    struct query_set set;
    struct diag diag = {0};
    query_set_init(&set, &form);
    int status = query_file_parse((const char *)data, size, &options, &set, &counts, &diag);
    CHECK((status == 0) == (diag.code == 0));
    CHECK(set.count == counts.valid);
    CHECK(status != 0 || counts.valid > 0);
    for (size_t i = 0; i < set.count; i++) {
        check_message(&set, i);
    }
    query_set_free(&set);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_file(data, size, false);
    read_file(data, size, true);
    return 0;
}
