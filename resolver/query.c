#include "query.h"

#include <string.h>

#include "dns/wire.h"

enum { TYPE_SIG = 24, TYPE_KEY = 25, TYPE_TKEY = 249, TYPE_TSIG = 250 };

#define COMPRESSION_POINTER 0xc0u
#define EDNS_FLAG_DO        0x8000u /* RFC 3225 3 */
#define OPTION_COOKIE       10      /* RFC 7873 4 */

/*
 * Reads a name that may be compressed (RFC 1035 4.1.4) into `name`; its octets, or 0. Each pointer
 * must lead to before the one that came before it, so the walk ends.
 */
static size_t read_name(struct wire_reader *reader, uint8_t name[DNS_NAME_MAX_BYTES])
{
    struct wire_reader walk = *reader;
    size_t length = 0;
    size_t limit = reader->at;
    bool jumped = false;
    for (;;) {
        uint8_t octet = wire_read_u8(&walk);
        if (octet >= COMPRESSION_POINTER) {
            size_t target = (size_t)(octet & ~COMPRESSION_POINTER) << 8 | wire_read_u8(&walk);
            if (walk.failed || target >= limit) {
                return 0;
            }
            if (!jumped) {
                reader->at = walk.at;
                jumped = true;
            }
            walk.at = limit = target;
            continue;
        }
        const uint8_t *label = wire_read(&walk, octet);
        if (label == NULL || octet > DNS_LABEL_MAX_BYTES ||
            length + octet + 1 > DNS_NAME_MAX_BYTES) {
            return 0;
        }
        name[length] = octet;
        memcpy(name + length + 1, label, octet);
        length += 1u + octet;
        if (octet == 0) {
            break;
        }
    }
    if (!jumped) {
        reader->at = walk.at;
    }
    return length;
}

static bool read_question(struct query *query, struct wire_reader *reader)
{
    size_t length = read_name(reader, query->name);
    query->type = wire_read_u16(reader);
    query->class = wire_read_u16(reader);
    if (length == 0 || reader->failed) {
        return false;
    }
    query->name_bytes = (uint8_t)length;
    name_index_make(&query->index, query->name, length);
    return true;
}

/* A client's cookie has 8 octets, a server's behind it 8 to 32 (RFC 7873 4). */
static bool is_cookie_size(size_t size)
{
    return size == 8 || (size >= 16 && size <= 40);
}

/* Reads the options, pairs of code and length with so many octets (RFC 6891 6.1.2); false when they
 * do not fill the RDATA. What stands behind a bad one is not looked at. */
static bool read_options(struct query *query, const uint8_t *rdata, size_t size)
{
    struct wire_reader reader = wire_reader_make(rdata, size);
    query->options_are_valid = true;
    while (reader.at < size && !reader.failed) {
        uint16_t code = wire_read_u16(&reader);
        uint16_t option_bytes = wire_read_u16(&reader);
        wire_read(&reader, option_bytes);
        if (code == OPTION_COOKIE && !is_cookie_size(option_bytes)) {
            query->options_are_valid = false;
            break;
        }
    }
    return !reader.failed;
}

/* What a record must have in common with the question: the class, but for those that are about the
 * message itself: OPT has none; TSIG, TKEY, SIG(0) and its KEY are of class ANY. */
static bool is_class_allowed(const struct query *query, uint16_t type, uint16_t class)
{
    bool is_signing =
        type == TYPE_TSIG || type == TYPE_TKEY || type == TYPE_SIG || type == TYPE_KEY;
    return !query->has_question || class == query->class || type == DNS_TYPE_OPT ||
           (is_signing && class == DNS_CLASS_ANY);
}

/* Reads one record behind the question; an OPT is taken in, all others are passed over. */
static bool read_record(struct query *query, struct wire_reader *reader, bool is_additional)
{
    uint8_t owner[DNS_NAME_MAX_BYTES];
    size_t owner_bytes = read_name(reader, owner);
    uint16_t type = wire_read_u16(reader);
    uint16_t class = wire_read_u16(reader);
    uint32_t ttl = wire_read_u32(reader);
    uint16_t rdata_bytes = wire_read_u16(reader);
    const uint8_t *rdata = wire_read(reader, rdata_bytes);
    if (owner_bytes == 0 || rdata == NULL || !is_class_allowed(query, type, class)) {
        return false;
    }
    if (type != DNS_TYPE_OPT) {
        return true;
    }
    if (!is_additional || owner_bytes != 1 || query->has_edns ||
        !read_options(query, rdata, rdata_bytes)) {
        return false;
    }
    query->has_edns = true;
    query->udp_bytes = class;
    query->edns_version = (uint8_t)(ttl >> 16);
    query->dnssec_ok = (ttl & EDNS_FLAG_DO) != 0;
    return true;
}

static bool read_records(struct query *query, struct wire_reader *reader, unsigned count,
                         bool is_additional)
{
    for (; count > 0; count--) {
        if (!read_record(query, reader, is_additional)) {
            return false;
        }
    }
    return true;
}

enum query_status query_parse(struct query *query, const uint8_t *octets, size_t size)
{
    struct wire_reader reader = wire_reader_make(octets, size);
    query->id = wire_read_u16(&reader);
    query->flags = wire_read_u16(&reader);
    unsigned questions = wire_read_u16(&reader);
    unsigned records = wire_read_u16(&reader);
    records += wire_read_u16(&reader);
    unsigned additional = wire_read_u16(&reader);
    query->opcode = (query->flags & DNS_OPCODE_MASK) >> DNS_OPCODE_SHIFT;
    query->has_question = false;
    query->has_edns = false;
    if (reader.failed || (query->flags & DNS_FLAG_QR) != 0) {
        return QUERY_IGNORED;
    }
    if (questions > 1 || (questions == 1 && !read_question(query, &reader))) {
        return QUERY_MALFORMED;
    }
    query->has_question = questions == 1;
    if (!read_records(query, &reader, records, false) ||
        !read_records(query, &reader, additional, true)) {
        query->has_edns = false; /* what cannot be read as a whole is not believed in part */
        return QUERY_MALFORMED;
    }
    return QUERY_VALID;
}
