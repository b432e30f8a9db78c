#include "dns/zone_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/error.h"
#include "dns/wire.h"
#include "dns/zone_compile.h"
#include "dns/zone_hint.h"
#include "dns/zone_rdata.h"

enum { TYPE_NSEC3 = 50, TYPE_SIG = 24 };

struct zone_builder *zone_builder_create(const uint8_t *origin,
                                         const struct zone_warning_sink *sink)
{
    struct zone_builder *builder = calloc(1, sizeof(*builder));
    if (builder == NULL) {
        return NULL;
    }
    builder->sink = *sink;
    builder->arena = arena_create();
    builder->scratch = arena_create();
    if (builder->arena == NULL || builder->scratch == NULL) {
        zone_builder_free(builder);
        return NULL;
    }
    size_t length = name_length(origin);
    uint8_t lower[DNS_NAME_MAX_BYTES];
    name_to_lower(lower, origin, length);
    builder->origin = arena_copy(builder->arena, lower, length);
    builder->origin_labels = name_label_count(lower);
    if (builder->origin == NULL) {
        zone_builder_free(builder);
        return NULL;
    }
    return builder;
}

void zone_builder_free(struct zone_builder *builder)
{
    if (builder == NULL) {
        return;
    }
    arena_free(builder->arena);
    arena_free(builder->scratch);
    free(builder->records);
    free(builder->nodes);
    free(builder->slots);
    free(builder);
}

/* The slot of a name: the one that holds its node, or the free one where it belongs. */
static size_t find_slot(const struct zone_builder *builder, uint32_t hash, const uint8_t *name,
                        unsigned bytes)
{
    size_t slot = hash & (builder->slot_count - 1);
    while (builder->slots[slot] != 0) {
        const struct zone_node *node = builder->nodes[builder->slots[slot] - 1];
        if (node->hash == hash && node->name_bytes == bytes &&
            memcmp(node->name, name, bytes) == 0) {
            break;
        }
        slot = (slot + 1) & (builder->slot_count - 1);
    }
    return slot;
}

/* Keeps the table at most half full. */
static int grow_slots(struct zone_builder *builder)
{
    if (builder->node_count + 1 <= builder->slot_count / 2) {
        return 0;
    }
    size_t count = builder->slot_count == 0 ? 64 : 2 * builder->slot_count;
    uint32_t *slots = calloc(count, sizeof(*slots));
    if (slots == NULL) {
        return ERR_MEMORY;
    }
    free(builder->slots);
    builder->slots = slots;
    builder->slot_count = count;
    for (uint32_t i = 0; i < builder->node_count; i++) {
        const struct zone_node *node = builder->nodes[i];
        slots[find_slot(builder, node->hash, node->name, node->name_bytes)] = i + 1;
    }
    return 0;
}

static int grow_nodes(struct zone_builder *builder)
{
    if (builder->node_count < builder->node_room) {
        return 0;
    }
    size_t room = builder->node_room == 0 ? 64 : 2 * builder->node_room;
    struct zone_node **nodes = reallocarray(builder->nodes, room, sizeof(struct zone_node *));
    if (nodes == NULL || room > UINT32_MAX) {
        return ERR_MEMORY;
    }
    builder->nodes = nodes;
    builder->node_room = room;
    return 0;
}

/* Makes the node of a suffix whose parent is node number `parent` (none for the apex). */
static int create_node(struct zone_builder *builder, const struct name_index *name, unsigned suffix,
                       const struct zone_node *parent)
{
    if (grow_nodes(builder) != 0 || grow_slots(builder) != 0) {
        return ERR_MEMORY;
    }
    unsigned bytes = name_index_suffix_length(name, suffix);
    struct zone_node *node = arena_allocate(builder->arena, sizeof(*node));
    const uint8_t *copy = arena_copy(builder->arena, name_index_suffix(name, suffix), bytes);
    if (node == NULL || copy == NULL) {
        return ERR_MEMORY;
    }
    node->name = copy;
    node->name_bytes = (uint8_t)bytes;
    node->hash = name->hash[suffix];
    node->parent = parent;
    size_t slot = find_slot(builder, node->hash, copy, bytes);
    builder->nodes[builder->node_count++] = node;
    builder->slots[slot] = (uint32_t)builder->node_count;
    return 0;
}

/* The number of the name's node, which is made with all its ancestors up to the apex if need be;
 * so a parent's number is always less than its children's. */
static int find_or_create(struct zone_builder *builder, const struct name_index *name,
                          uint32_t *number)
{
    unsigned suffix = name->label_count - builder->origin_labels + 1;
    const struct zone_node *parent = NULL;
    while (suffix > 0) {
        suffix--;
        uint32_t found = 0;
        if (builder->slot_count > 0) {
            size_t slot = find_slot(builder, name->hash[suffix], name_index_suffix(name, suffix),
                                    name_index_suffix_length(name, suffix));
            found = builder->slots[slot];
        }
        if (found == 0) {
            int status = create_node(builder, name, suffix, parent);
            if (status != 0) {
                return status;
            }
            found = (uint32_t)builder->node_count;
        }
        parent = builder->nodes[found - 1];
        *number = found - 1;
    }
    return 0;
}

/* NSEC3 and its signatures live beside the tree, not in it (RFC 5155 7.2.8): a hashed owner name
 * is not a name of the zone. They are of use only in proofs. */
static bool is_proof_only(const struct zone_record *record)
{
    if (record->type == TYPE_NSEC3) {
        return true;
    }
    return (record->type == DNS_TYPE_RRSIG || record->type == TYPE_SIG) &&
           record->rdata_bytes >= 2 && wire_get_u16(record->rdata) == TYPE_NSEC3;
}

static int check_record(struct zone_builder *builder, const struct zone_record *record,
                        const struct zone_place *place, struct diag *diag)
{
    char owner[NAME_TEXT_SIZE];
    if (!zone_rdata_is_valid(record->type, record->rdata, record->rdata_bytes)) {
        return diag_fail(
            diag, ERR_SYNTAX, place->file, place->line,
            "malformed data for a record of type %u: a length, number or name in it is "
            "wrong; write %s",
            record->type, zone_hint_rdata(record->type));
    }
    if (record->type == DNS_TYPE_SOA && !name_equal(record->owner, builder->origin)) {
        name_format(record->owner, owner);
        return diag_fail(diag, ERR_SYNTAX, place->file, place->line,
                         "SOA record not at top of zone (%s); only the zone's own name may have it",
                         owner);
    }
    if (record->type == DNS_TYPE_DS && name_equal(record->owner, builder->origin)) {
        name_format(record->owner, owner);
        return diag_fail(diag, ERR_SYNTAX, place->file, place->line,
                         "DS record at top of zone (%s); it belongs into the zone above", owner);
    }
    /* RFC 4592 4.2 leaves open what a delegation at a wildcard would mean. */
    if (record->type == DNS_TYPE_NS && record->owner[0] == 1 && record->owner[1] == '*') {
        name_format(record->owner, owner);
        return diag_fail(diag, ERR_SYNTAX, place->file, place->line,
                         "NS record at a wildcard (%s); delegate each name by its own NS record",
                         owner);
    }
    return 0;
}

static int append_record(struct zone_builder *builder, const struct built_record *record)
{
    if (builder->record_count == builder->record_room) {
        size_t room = builder->record_room == 0 ? 256 : 2 * builder->record_room;
        struct built_record *records = reallocarray(builder->records, room, sizeof(*records));
        if (records == NULL) {
            return ERR_MEMORY;
        }
        builder->records = records;
        builder->record_room = room;
    }
    builder->records[builder->record_count++] = *record;
    return 0;
}

static int insert_record(struct zone_builder *builder, const struct zone_record *record,
                         const struct zone_place *place)
{
    struct name_index name;
    name_index_make(&name, record->owner, name_length(record->owner));
    struct built_record built = {
        .sequence = builder->record_count,
        .ttl_s = record->ttl_s,
        .type = record->type,
        .rdata_bytes = record->rdata_bytes,
        .place = *place,
    };
    int status = find_or_create(builder, &name, &built.node);
    if (status != 0) {
        return status;
    }
    built.rdata = arena_copy(builder->scratch, record->rdata, record->rdata_bytes);
    return built.rdata == NULL ? ERR_MEMORY : append_record(builder, &built);
}

int zone_builder_add(struct zone_builder *builder, const struct zone_record *record,
                     const struct zone_place *place, struct diag *diag)
{
    if (!name_is_within(record->owner, builder->origin)) {
        char owner[NAME_TEXT_SIZE];
        char text[NAME_TEXT_SIZE + 64];
        name_format(record->owner, owner);
        snprintf(text, sizeof(text), "ignoring out-of-zone data (%s)", owner);
        builder->sink.warn(builder->sink.context, place, text);
        return 0;
    }
    int status = check_record(builder, record, place, diag);
    if (status != 0 || is_proof_only(record)) {
        return status;
    }
    if (insert_record(builder, record, place) != 0) {
        return diag_fail(diag, ERR_MEMORY, place->file, place->line, "out of memory");
    }
    return 0;
}

int zone_builder_finish(struct zone_builder *builder, const char *file, struct zone **zone,
                        struct diag *diag)
{
    return zone_compile(builder, file, zone, diag);
}
