#include "dns/query_set.h"

#include <stdlib.h>

#include "core/check.h"
#include "core/error.h"
#include "dns/protocol.h"
#include "dns/wire.h"

#define OPT_FIXED_BYTES 11 /* root name, type, class, TTL, RDLENGTH (RFC 6891 6.1.2) */
#define OPT_TTL_DO      0x00008000u

void query_set_init(struct query_set *set, const struct query_form *form)
{
    *set = (struct query_set){.form = *form};
}

void query_set_free(struct query_set *set)
{
    free(set->arena);
    free(set->queries);
    free(set->lines);
    bytes_free(&set->text);
    *set = (struct query_set){0};
}

/* Makes room for `count` elements in an array of `size`-octet ones, doubling it. */
static int reserve(void **array, size_t *capacity, size_t count, size_t size)
{
    if (count <= *capacity) {
        return 0;
    }
    size_t wanted = *capacity == 0 ? 1024 : *capacity;
    while (wanted < count) {
        wanted *= 2;
    }
    void *grown = reallocarray(*array, wanted, size);
    if (grown == NULL) {
        return ERR_MEMORY;
    }
    *array = grown;
    *capacity = wanted;
    return 0;
}

static size_t opt_size(const struct query_form *form)
{
    return form->edns ? OPT_FIXED_BYTES + (size_t)form->options_size_bytes : 0;
}

static void write_opt(struct wire_writer *writer, const struct query_form *form)
{
    wire_write_u8(writer, 0);
    wire_write_u16(writer, DNS_TYPE_OPT);
    wire_write_u16(writer, form->udp_payload_bytes);
    wire_write_u32(writer, form->dnssec_ok ? OPT_TTL_DO : 0);
    wire_write_u16(writer, form->options_size_bytes);
    wire_write(writer, form->options, form->options_size_bytes);
}

static void write_header(struct wire_writer *writer, const struct query_form *form)
{
    wire_write_u16(writer, 0);
    wire_write_u16(writer, form->recursion_desired ? DNS_FLAG_RD : 0);
    wire_write_u16(writer, 1);
    wire_write_u16(writer, 0);
    wire_write_u16(writer, 0);
    wire_write_u16(writer, form->edns ? 1 : 0);
}

int query_set_add(struct query_set *set, const uint8_t *name, size_t name_size, uint16_t type,
                  uint16_t class)
{
    size_t size = DNS_HEADER_BYTES + name_size + 4 + opt_size(&set->form);
    if (size > DNS_MESSAGE_MAX_BYTES || set->arena_size > UINT32_MAX - size) {
        return ERR_RANGE;
    }
    int status = reserve((void **)&set->arena, &set->arena_capacity, set->arena_size + size, 1);
    if (status == 0) {
        status =
            reserve((void **)&set->queries, &set->capacity, set->count + 1, sizeof(*set->queries));
    }
    if (status != 0) {
        return status;
    }
    struct wire_writer writer = wire_writer_make(set->arena + set->arena_size, size);
    write_header(&writer, &set->form);
    wire_write(&writer, name, name_size);
    wire_write_u16(&writer, type);
    wire_write_u16(&writer, class);
    if (set->form.edns) {
        write_opt(&writer, &set->form);
    }
    CHECK(!writer.failed && writer.at == size);
    set->queries[set->count++] =
        (struct query){.offset = (uint32_t)set->arena_size, .size_bytes = (uint16_t)size};
    set->arena_size += size;
    return 0;
}

int query_set_add_line(struct query_set *set, const char *text, size_t length)
{
    int status =
        reserve((void **)&set->lines, &set->lines_capacity, set->count, sizeof(*set->lines));
    if (status == 0) {
        set->lines[set->count - 1] = (struct query_line){.text = text, .length = length};
    }
    return status;
}
