#include "response.h"

#include <string.h>

#include "core/check.h"

#define OPT_BYTES           11 /* root, TYPE, CLASS, TTL, RDLENGTH: no options */
#define COMPRESSION_POINTER 0xc000u
#define OFFSET_MAX          0x3fffu
#define EDNS_FLAG_DO        0x8000u

void response_begin(struct response *response, const struct query *query, uint8_t *out, size_t room)
{
    size_t limit = DNS_UDP_MAX_BYTES;
    if (query->has_edns) {
        limit = query->udp_bytes;
        limit = limit < DNS_UDP_MAX_BYTES ? DNS_UDP_MAX_BYTES : limit;
        limit = limit > RESPONSE_EDNS_BYTES ? RESPONSE_EDNS_BYTES : limit;
    }
    limit = limit > room ? room : limit;
    if (query->has_edns) {
        limit -= OPT_BYTES;
    }
    response->out = wire_writer_make(out, limit);
    response->query = query;
    response->flags = 0;
    response->rcode = DNS_RCODE_NOERROR;
    memset(response->counts, 0, sizeof(response->counts));
    response->knows_question = false;
    response->suffix_count = 0;
    wire_reserve(&response->out, DNS_HEADER_BYTES);
    if (query->has_question) {
        wire_write(&response->out, query->name, query->name_bytes);
        wire_write_u16(&response->out, query->type);
        wire_write_u16(&response->out, query->class);
    }
    CHECK(!response->out.failed);
}

/* Follows pointers, which in our own message always lead back to labels. */
static size_t resolve(const uint8_t *message, size_t offset)
{
    while (message[offset] >= COMPRESSION_POINTER >> 8) {
        offset = wire_get_u16(message + offset) & OFFSET_MAX;
    }
    return offset;
}

size_t response_suffix_offset(const struct response *response, size_t name_offset, unsigned skip)
{
    const uint8_t *message = response->out.base;
    size_t offset = resolve(message, name_offset);
    for (; skip > 0; skip--) {
        offset = resolve(message, offset + 1u + message[offset]);
    }
    return offset;
}

/* Whether the name in the message at `offset` is `name`. */
static bool is_name_at(const uint8_t *message, size_t offset, const uint8_t *name)
{
    for (;;) {
        offset = resolve(message, offset);
        if (message[offset] != name[0]) {
            return false;
        }
        if (name[0] == 0) {
            return true;
        }
        for (unsigned i = 1; i <= name[0]; i++) {
            uint8_t pair[2] = {message[offset + i], name[i]};
            if (pair[0] != pair[1]) {
                name_to_lower(pair, pair, sizeof(pair));
                if (pair[0] != pair[1]) {
                    return false;
                }
            }
        }
        offset += 1u + name[0];
        name = name_parent(name);
    }
}

static void remember(struct response *response, uint32_t hash, size_t offset)
{
    if (response->suffix_count < RESPONSE_SUFFIXES_MAX && offset <= OFFSET_MAX) {
        response->suffixes[response->suffix_count].hash = hash;
        response->suffixes[response->suffix_count].offset = (uint16_t)offset;
        response->suffix_count++;
    }
}

/* Most responses hold no name but the question's, so its suffixes are noted when first needed. */
static void remember_question(struct response *response)
{
    const struct name_index *index = &response->query->index;
    for (unsigned i = 0; i < index->label_count; i++) {
        remember(response, index->hash[i], RESPONSE_QUESTION_OFFSET + index->offset[i]);
    }
    response->knows_question = true;
}

/* The offset where a suffix already stands, or 0. */
static size_t find_suffix(const struct response *response, uint32_t hash, const uint8_t *suffix)
{
    for (unsigned i = 0; i < response->suffix_count; i++) {
        if (response->suffixes[i].hash == hash &&
            is_name_at(response->out.base, response->suffixes[i].offset, suffix)) {
            return response->suffixes[i].offset;
        }
    }
    return 0;
}

/* Notes the first `count` suffixes of a name that was written out from `start` on. */
static void remember_name(struct response *response, const struct zone_rdata_name *name,
                          unsigned count, size_t start)
{
    size_t offset = start;
    for (unsigned i = 0; i < count && !response->out.failed; i++) {
        remember(response, name->suffix_hash[i], offset);
        offset += 1u + response->out.base[offset];
    }
}

void response_remember(struct response *response, const uint8_t *name)
{
    struct name_index index;
    size_t length = name_length(name);
    name_index_make(&index, name, length);
    for (unsigned i = 0; i < index.label_count; i++) {
        remember(response, index.hash[i], response->out.at - length + index.offset[i]);
    }
}

/* Writes a name, its known ending as a pointer; the offset where all of it can be read. */
static size_t write_name(struct response *response, const struct zone_rdata_name *name)
{
    if (!response->knows_question) {
        remember_question(response);
    }
    const uint8_t *suffix = name->wire;
    size_t start = response->out.at;
    size_t found = 0;
    unsigned written = 0;
    for (; written < name->label_count; written++) {
        found = find_suffix(response, name->suffix_hash[written], suffix);
        if (found != 0) {
            break;
        }
        suffix = name_parent(suffix);
    }
    wire_write(&response->out, name->wire, (size_t)(suffix - name->wire));
    if (found != 0) {
        wire_write_u16(&response->out, (uint16_t)(COMPRESSION_POINTER | found));
    } else {
        wire_write_u8(&response->out, 0);
    }
    remember_name(response, name, written, start);
    return found != 0 && written == 0 ? found : start;
}

/* The owner's name as a pointer; the root is shorter written out. */
static void write_owner(struct response *response, size_t offset)
{
    if (response->out.base[offset] == 0) {
        wire_write_u8(&response->out, 0);
    } else {
        wire_write_u16(&response->out, (uint16_t)(COMPRESSION_POINTER | offset));
    }
}

static size_t image_rr_bytes(const uint8_t *rr)
{
    return ZONE_IMAGE_FIXED_BYTES + (size_t)wire_get_u16(rr + ZONE_IMAGE_FIXED_BYTES - 2);
}

static void write_plain_rrset(struct response *response, size_t owner_offset,
                              const struct zone_rrset *rrset)
{
    if (owner_offset == RESPONSE_QUESTION_OFFSET && response->out.base[owner_offset] != 0) {
        wire_write(&response->out, rrset->image, rrset->image_bytes);
        return;
    }
    const uint8_t *rr = rrset->image;
    for (unsigned i = 0; i < rrset->rr_count; i++) {
        size_t bytes = image_rr_bytes(rr);
        write_owner(response, owner_offset);
        wire_write(&response->out, rr + ZONE_IMAGE_OWNER_BYTES, bytes - ZONE_IMAGE_OWNER_BYTES);
        rr += bytes;
    }
}

/* Writes one RR whose RDATA holds names that are compressed. */
static void write_name_rr(struct response *response, size_t owner_offset, const uint8_t *rr,
                          const struct zone_rrset *rrset, const struct zone_rdata_name *names,
                          uint16_t *name_offsets)
{
    struct wire_writer *out = &response->out;
    write_owner(response, owner_offset);
    size_t fixed = ZONE_IMAGE_FIXED_BYTES - ZONE_IMAGE_OWNER_BYTES;
    wire_write(out, rr + ZONE_IMAGE_OWNER_BYTES, fixed + rrset->prefix_bytes);
    size_t rdata = out->at - rrset->prefix_bytes;
    for (unsigned i = 0; i < rrset->name_count; i++) {
        size_t offset = out->failed ? 0 : write_name(response, &names[i]);
        if (name_offsets != NULL) {
            name_offsets[i] = (uint16_t)offset;
        }
    }
    const uint8_t *last = names[rrset->name_count - 1].wire;
    const uint8_t *rest = last + name_length(last);
    wire_write(out, rest, (size_t)(rr + image_rr_bytes(rr) - rest));
    if (!out->failed) {
        wire_put_u16(out->base + rdata - 2, (uint16_t)(out->at - rdata));
    }
}

static void write_named_rrset(struct response *response, size_t owner_offset,
                              const struct zone_rrset *rrset, uint16_t *name_offsets,
                              unsigned name_room)
{
    const uint8_t *rr = rrset->image;
    for (unsigned i = 0; i < rrset->rr_count && !response->out.failed; i++) {
        unsigned first = i * rrset->name_count;
        bool wanted = name_offsets != NULL && first + rrset->name_count <= name_room;
        write_name_rr(response, owner_offset, rr, rrset, rrset->names + first,
                      wanted ? name_offsets + first : NULL);
        rr += image_rr_bytes(rr);
    }
}

/* Ends an addition that began at `start` with `suffixes` known: kept whole, or taken back. */
static bool commit(struct response *response, enum response_section section, unsigned rr_count,
                   size_t start, unsigned suffixes)
{
    if (response->out.failed) {
        response->out.failed = false;
        response->out.at = start;
        response->suffix_count = suffixes;
        return false;
    }
    response->counts[section] = (uint16_t)(response->counts[section] + rr_count);
    return true;
}

bool response_add_rrset(struct response *response, enum response_section section,
                        size_t owner_offset, const struct zone_rrset *rrset, uint16_t *name_offsets,
                        unsigned name_room)
{
    size_t start = response->out.at;
    unsigned suffixes = response->suffix_count;
    if (rrset->name_count == 0) {
        write_plain_rrset(response, owner_offset, rrset);
    } else {
        write_named_rrset(response, owner_offset, rrset, name_offsets, name_room);
    }
    return commit(response, section, rrset->rr_count, start, suffixes);
}

bool response_add_name_rr(struct response *response, enum response_section section,
                          size_t owner_offset, uint16_t type, uint32_t ttl_s,
                          const struct zone_rdata_name *name, uint16_t *name_offset)
{
    struct wire_writer *out = &response->out;
    size_t start = out->at;
    unsigned suffixes = response->suffix_count;
    write_owner(response, owner_offset);
    wire_write_u16(out, type);
    wire_write_u16(out, DNS_CLASS_IN);
    wire_write_u32(out, ttl_s);
    wire_write_u16(out, 0);
    size_t rdata = out->at;
    if (!out->failed) {
        *name_offset = (uint16_t)write_name(response, name);
    }
    if (!out->failed) {
        wire_put_u16(out->base + rdata - 2, (uint16_t)(out->at - rdata));
    }
    return commit(response, section, 1, start, suffixes);
}

bool response_add_soa(struct response *response, size_t owner_offset, const struct zone_rrset *soa,
                      uint32_t ttl_s)
{
    size_t start = response->out.at;
    if (!response_add_rrset(response, SECTION_AUTHORITY, owner_offset, soa, NULL, 0)) {
        return false;
    }
    size_t owner = response->out.base[start] == 0 ? 1 : ZONE_IMAGE_OWNER_BYTES;
    uint8_t *ttl = response->out.base + start + owner + 4;
    wire_put_u16(ttl, (uint16_t)(ttl_s >> 16));
    wire_put_u16(ttl + 2, (uint16_t)ttl_s);
    return true;
}

static void write_opt(struct response *response)
{
    struct wire_writer *out = &response->out;
    out->size += OPT_BYTES;
    wire_write_u8(out, 0);
    wire_write_u16(out, DNS_TYPE_OPT);
    wire_write_u16(out, RESPONSE_EDNS_BYTES);
    wire_write_u8(out, (uint8_t)(response->rcode >> 4));
    wire_write_u8(out, 0);
    wire_write_u16(out, response->query->dnssec_ok ? EDNS_FLAG_DO : 0);
    wire_write_u16(out, 0);
    response->counts[SECTION_ADDITIONAL]++;
}

size_t response_finish(struct response *response)
{
    const struct query *query = response->query;
    if (query->has_edns) {
        write_opt(response);
    }
    CHECK(!response->out.failed);
    uint16_t kept = query->flags & (DNS_OPCODE_MASK | DNS_FLAG_RD | DNS_FLAG_CD);
    struct wire_writer header = wire_writer_make(response->out.base, DNS_HEADER_BYTES);
    wire_write_u16(&header, query->id);
    wire_write_u16(&header, (uint16_t)(DNS_FLAG_QR | kept | response->flags |
                                       (response->rcode & DNS_RCODE_MASK)));
    wire_write_u16(&header, query->has_question ? 1 : 0);
    for (unsigned i = 0; i < SECTION_COUNT; i++) {
        wire_write_u16(&header, response->counts[i]);
    }
    return response->out.at;
}
