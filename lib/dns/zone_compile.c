#include "dns/zone_compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/error.h"
#include "dns/wire.h"
#include "dns/zone_rdata.h"

enum { TYPE_SIG = 24, TYPE_KEY = 25, TYPE_NXT = 30, TYPE_NSEC = 47 };
enum { TYPE_DNSKEY = 48, TYPE_NSEC3PARAM = 51 };

#define COMPRESSION_POINTER_TO_QUESTION 0xc00cu

static int compare_records(const void *left, const void *right)
{
    const struct built_record *a = left;
    const struct built_record *b = right;
    if (a->node != b->node) {
        return a->node < b->node ? -1 : 1;
    }
    if (a->type != b->type) {
        return a->type < b->type ? -1 : 1;
    }
    int order = zone_rdata_compare(a->type, a->rdata, a->rdata_bytes, b->rdata, b->rdata_bytes);
    if (order != 0) {
        return order;
    }
    return a->sequence < b->sequence ? -1 : a->sequence > b->sequence;
}

static bool is_same_record(const struct built_record *a, const struct built_record *b)
{
    return a->node == b->node && a->type == b->type &&
           zone_rdata_compare(a->type, a->rdata, a->rdata_bytes, b->rdata, b->rdata_bytes) == 0;
}

/* Sorts by node, type and RDATA, and keeps one of each: an RRset is a set (RFC 2181 5). */
static void sort_and_merge(struct zone_builder *builder)
{
    if (builder->record_count == 0) {
        return;
    }
    qsort(builder->records, builder->record_count, sizeof(builder->records[0]), compare_records);
    size_t kept = 1;
    for (size_t i = 1; i < builder->record_count; i++) {
        if (!is_same_record(&builder->records[kept - 1], &builder->records[i])) {
            builder->records[kept++] = builder->records[i];
        }
    }
    builder->record_count = kept;
}

/* The end of the run of records that have the node of record `from`, and its type if `by_type`. */
static size_t run_end(const struct zone_builder *builder, size_t from, bool by_type)
{
    const struct built_record *first = &builder->records[from];
    size_t end = from + 1;
    while (end < builder->record_count && builder->records[end].node == first->node &&
           (!by_type || builder->records[end].type == first->type)) {
        end++;
    }
    return end;
}

static const struct built_record *earliest(const struct built_record *records, size_t count)
{
    const struct built_record *found = &records[0];
    for (size_t i = 1; i < count; i++) {
        if (records[i].sequence < found->sequence) {
            found = &records[i];
        }
    }
    return found;
}

/* All RRs of a set have one TTL (RFC 2181 5.2), the first one's as named has it; an RRSIG has the
 * TTL of the set that it covers. */
static void unify_ttl(struct zone_builder *builder, struct built_record *records, size_t count)
{
    if (records[0].type == DNS_TYPE_RRSIG) {
        return;
    }
    const struct built_record *first = earliest(records, count);
    for (size_t i = 0; i < count; i++) {
        if (records[i].ttl_s != first->ttl_s) {
            char text[64];
            snprintf(text, sizeof(text), "TTL set to prior TTL (%u)", first->ttl_s);
            builder->sink.warn(builder->sink.context, &records[i].place, text);
            records[i].ttl_s = first->ttl_s;
        }
    }
}

/* The names of one RDATA, which lies at its final place in the image. */
static int index_names(struct arena *arena, const struct zone_rrset *rrset, const uint8_t *rdata,
                       struct zone_rdata_name *names)
{
    const uint8_t *at = rdata + rrset->prefix_bytes;
    for (unsigned i = 0; i < rrset->name_count; i++) {
        struct name_index index;
        size_t length = name_length(at);
        name_index_make(&index, at, length);
        names[i].wire = at;
        names[i].label_count = index.label_count;
        names[i].suffix_hash =
            arena_copy(arena, index.hash, (index.label_count + 1) * sizeof(index.hash[0]));
        if (names[i].suffix_hash == NULL) {
            return ERR_MEMORY;
        }
        at += length;
    }
    return 0;
}

static size_t rdata_size(const struct built_record *records, size_t count)
{
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        bytes += records[i].rdata_bytes;
    }
    return bytes;
}

/* Room for the image and the names; `names` is NULL where the type has none. */
static int allocate_rrset(struct arena *arena, struct zone_rrset *rrset, size_t image_bytes,
                          uint8_t **image, struct zone_rdata_name **names)
{
    *image = arena_allocate(arena, image_bytes);
    *names = NULL;
    if (rrset->name_count > 0) {
        size_t count = (size_t)rrset->rr_count * rrset->name_count;
        *names = arena_allocate(arena, count * sizeof(struct zone_rdata_name));
    }
    if (*image == NULL || (rrset->name_count > 0 && *names == NULL)) {
        return ERR_MEMORY;
    }
    rrset->image = *image;
    rrset->image_bytes = (uint32_t)image_bytes;
    rrset->names = *names;
    return 0;
}

static int build_rrset(struct arena *arena, const struct built_record *records, size_t count,
                       struct zone_rrset *rrset)
{
    const struct zone_rdata_layout *layout = zone_rdata_layout(records[0].type);
    rrset->type = records[0].type;
    rrset->rr_count = (uint16_t)count;
    if (layout != NULL && layout->compressible) {
        rrset->name_count = layout->name_count;
        rrset->prefix_bytes = layout->prefix_bytes;
    }
    size_t bytes = count * ZONE_IMAGE_FIXED_BYTES + rdata_size(records, count);
    uint8_t *image;
    struct zone_rdata_name *names;
    int status = allocate_rrset(arena, rrset, bytes, &image, &names);
    struct wire_writer writer = wire_writer_make(image, bytes);
    for (size_t i = 0; i < count && status == 0; i++) {
        wire_write_u16(&writer, COMPRESSION_POINTER_TO_QUESTION);
        wire_write_u16(&writer, records[i].type);
        wire_write_u16(&writer, DNS_CLASS_IN);
        wire_write_u32(&writer, records[i].ttl_s);
        wire_write_u16(&writer, records[i].rdata_bytes);
        const uint8_t *rdata = writer.base + writer.at;
        wire_write(&writer, records[i].rdata, records[i].rdata_bytes);
        if (names != NULL) {
            status = index_names(arena, rrset, rdata, names + i * rrset->name_count);
        }
    }
    return status;
}

static bool is_singleton(uint16_t type)
{
    return type == DNS_TYPE_CNAME || type == DNS_TYPE_DNAME || type == DNS_TYPE_SOA;
}

/* What may stand beside a CNAME (RFC 4034 2.5, RFC 3007 and their forerunners). */
static bool is_allowed_at_cname(uint16_t type)
{
    return type == DNS_TYPE_CNAME || type == DNS_TYPE_RRSIG || type == TYPE_NSEC ||
           type == TYPE_SIG || type == TYPE_KEY || type == TYPE_NXT;
}

static int fail_at(struct diag *diag, const struct built_record *record,
                   const struct zone_node *node, const char *text)
{
    char name[NAME_TEXT_SIZE];
    name_format(node->name, name);
    return diag_fail(diag, ERR_SYNTAX, record->place.file, record->place.line, "%s: %s", name,
                     text);
}

static int check_rrset(const struct zone_builder *builder, const struct built_record *records,
                       size_t count, struct diag *diag)
{
    const struct zone_node *node = builder->nodes[records[0].node];
    if (rdata_size(records, count) > UINT16_MAX) {
        return fail_at(
            diag, earliest(records, count), node,
            "the records of one type have more than 65535 octets of data together, which "
            "is more than a message holds (RFC 1035 4.2.2)");
    }
    if (count > 1 && is_singleton(records[0].type)) {
        const struct built_record *later =
            records[0].sequence > records[1].sequence ? &records[0] : &records[1];
        return fail_at(
            diag, later, node,
            "multiple RRs of singleton type; a name has one CNAME, DNAME or SOA at most");
    }
    return 0;
}

/* The later of a CNAME and of what may not stand beside it, or NULL when all is well. */
static const struct built_record *find_cname_conflict(const struct built_record *records,
                                                      size_t count)
{
    const struct built_record *cname = NULL;
    const struct built_record *other = NULL;
    for (size_t i = 0; i < count; i++) {
        if (records[i].type == DNS_TYPE_CNAME) {
            cname = &records[i];
        } else if (!is_allowed_at_cname(records[i].type) &&
                   (other == NULL || records[i].sequence < other->sequence)) {
            other = &records[i];
        }
    }
    if (cname == NULL || other == NULL) {
        return NULL;
    }
    return cname->sequence > other->sequence ? cname : other;
}

static size_t count_types(const struct zone_builder *builder, size_t from, size_t to)
{
    size_t count = 0;
    for (size_t i = from; i < to; i = run_end(builder, i, true)) {
        count++;
    }
    return count;
}

/* The RRsets of the node whose records are [from, to). */
static int build_node(struct zone_builder *builder, size_t from, size_t to, struct diag *diag)
{
    struct zone_node *node = builder->nodes[builder->records[from].node];
    const struct built_record *conflict = find_cname_conflict(builder->records + from, to - from);
    if (conflict != NULL) {
        return fail_at(diag, conflict, node,
                       "CNAME and other data; a name that has a CNAME can have nothing else");
    }
    size_t types = count_types(builder, from, to);
    struct zone_rrset *rrsets = arena_allocate(builder->arena, types * sizeof(*rrsets));
    if (rrsets == NULL) {
        return ERR_MEMORY;
    }
    node->rrsets = rrsets;
    node->rrset_count = (uint16_t)types;
    for (size_t i = from; i < to;) {
        size_t end = run_end(builder, i, true);
        int status = check_rrset(builder, builder->records + i, end - i, diag);
        if (status != 0) {
            return status;
        }
        unify_ttl(builder, builder->records + i, end - i);
        status = build_rrset(builder->arena, builder->records + i, end - i, rrsets++);
        if (status != 0) {
            return status;
        }
        i = end;
    }
    return 0;
}

static int build_all_nodes(struct zone_builder *builder, struct diag *diag)
{
    for (size_t i = 0; i < builder->record_count;) {
        size_t end = run_end(builder, i, false);
        int status = build_node(builder, i, end, diag);
        if (status != 0) {
            return status;
        }
        i = end;
    }
    return 0;
}

/* Parents come before children, so each node takes over what stands above it. */
static void link_nodes(struct zone_builder *builder)
{
    for (size_t i = 1; i < builder->node_count; i++) {
        struct zone_node *node = builder->nodes[i];
        const struct zone_node *parent = node->parent;
        node->cut = parent->cut;
        node->dname = parent->dname;
        if (node->cut == NULL && node->dname == NULL) {
            if (zone_node_rrset(parent, DNS_TYPE_DNAME) != NULL) {
                node->dname = parent;
            } else if (zone_node_rrset(node, DNS_TYPE_NS) != NULL) {
                node->cut = node;
            }
        }
    }
}

/* While the zone is being made its nodes are this file's to write; afterwards nobody's. */
union writable {
    const struct zone_node *read_only_node;
    struct zone_node *node;
    const struct zone_rdata_name *read_only_names;
    struct zone_rdata_name *names;
};

static void link_wildcards(struct zone_builder *builder)
{
    for (size_t i = 1; i < builder->node_count; i++) {
        const struct zone_node *node = builder->nodes[i];
        if (node->name[0] == 1 && node->name[1] == '*') {
            union writable parent = {.read_only_node = node->parent};
            parent.node->wildcard = node;
        }
    }
}

static int make_table(struct zone_builder *builder, struct zone *zone)
{
    const struct zone_node **slots =
        arena_allocate(builder->arena, builder->slot_count * sizeof(const struct zone_node *));
    if (slots == NULL) {
        return ERR_MEMORY;
    }
    for (size_t i = 0; i < builder->slot_count; i++) {
        slots[i] = builder->slots[i] == 0 ? NULL : builder->nodes[builder->slots[i] - 1];
    }
    zone->slots = slots;
    zone->slot_mask = builder->slot_count - 1;
    return 0;
}

/* Finds the nodes of name servers: their addresses are glue, or answers' additional data. */
static void link_servers(struct zone_builder *builder, const struct zone *zone)
{
    for (size_t i = 0; i < builder->node_count; i++) {
        const struct zone_rrset *ns = zone_node_rrset(builder->nodes[i], DNS_TYPE_NS);
        if (ns == NULL) {
            continue;
        }
        union writable servers = {.read_only_names = ns->names};
        for (unsigned server = 0; server < ns->rr_count; server++) {
            struct name_index index;
            struct zone_rdata_name *name = &servers.names[server];
            if (name_is_within(name->wire, zone->origin)) {
                name_index_make(&index, name->wire, name_length(name->wire));
                name->node = zone_find(zone, &index, 0);
            }
        }
    }
}

static uint32_t get_u32(const uint8_t *octets)
{
    return (uint32_t)wire_get_u16(octets) << 16 | wire_get_u16(octets + 2);
}

static int check_apex(const struct zone_builder *builder, const char *file, struct zone *zone,
                      struct diag *diag)
{
    char origin[NAME_TEXT_SIZE];
    name_format(builder->origin, origin);
    zone->soa = zone->apex == NULL ? NULL : zone_node_rrset(zone->apex, DNS_TYPE_SOA);
    if (zone->soa == NULL) {
        return diag_fail(diag, ERR_SYNTAX, file, 0,
                         "zone %s has no SOA record; it needs one at its top", origin);
    }
    if (zone_node_rrset(zone->apex, DNS_TYPE_NS) == NULL) {
        return diag_fail(diag, ERR_SYNTAX, file, 0,
                         "zone %s has no NS records; it needs one at its top", origin);
    }
    zone->is_signed = zone_node_rrset(zone->apex, TYPE_DNSKEY) != NULL &&
                      zone_node_rrset(zone->apex, DNS_TYPE_RRSIG) != NULL &&
                      (zone_node_rrset(zone->apex, TYPE_NSEC) != NULL ||
                       zone_node_rrset(zone->apex, TYPE_NSEC3PARAM) != NULL);
    uint32_t ttl = get_u32(zone->soa->image + ZONE_IMAGE_TTL_OFFSET);
    uint32_t minimum = get_u32(zone->soa->image + zone->soa->image_bytes - sizeof(minimum));
    zone->soa_negative_ttl_s = ttl < minimum ? ttl : minimum;
    return 0;
}

/* Where the apex's NS record number `number` in canonical order was written. */
static const struct zone_place *find_ns_place(const struct zone_builder *builder, unsigned number)
{
    size_t at = 0;
    while (builder->records[at].type != DNS_TYPE_NS) {
        at++;
    }
    return &builder->records[at + number].place;
}

/* Why a server's name in the zone leads to no address, or NULL; a delegated zone may have one. */
static const char *find_server_fault(const struct zone *zone, const struct name_index *name)
{
    unsigned missing;
    const struct zone_node *node = zone_find_encloser(zone, name, &missing);
    if (node->cut != NULL) {
        return NULL;
    }
    if (node->dname != NULL || (missing > 0 && zone_node_rrset(node, DNS_TYPE_DNAME) != NULL)) {
        return "is below a DNAME; it needs a name that has its address itself (RFC 2181 10.3)";
    }
    node = missing > 0 ? node->wildcard : node;
    bool has_address = node != NULL && (zone_node_rrset(node, DNS_TYPE_A) != NULL ||
                                        zone_node_rrset(node, DNS_TYPE_AAAA) != NULL);
    return has_address ? NULL : "has no address records (A or AAAA) in the zone";
}

/* A zone's own servers in the zone must have addresses there, or nobody can ask them; named
 * refuses such a zone, too. */
static int check_servers(const struct zone_builder *builder, const struct zone *zone,
                         struct diag *diag)
{
    const struct zone_rrset *ns = zone_node_rrset(zone->apex, DNS_TYPE_NS);
    for (unsigned i = 0; i < ns->rr_count; i++) {
        const uint8_t *server = ns->names[i].wire;
        struct name_index index;
        name_index_make(&index, server, name_length(server));
        if (!name_is_within(server, zone->origin)) {
            continue;
        }
        const char *fault = find_server_fault(zone, &index);
        if (fault != NULL) {
            char text[NAME_TEXT_SIZE];
            const struct zone_place *place = find_ns_place(builder, i);
            name_format(server, text);
            return diag_fail(diag, ERR_SYNTAX, place->file, place->line, "NS '%s' %s", text, fault);
        }
    }
    return 0;
}

static int fill_zone(struct zone_builder *builder, const char *file, struct zone *zone,
                     struct diag *diag)
{
    sort_and_merge(builder);
    int status = build_all_nodes(builder, diag);
    if (status != 0) {
        return status;
    }
    zone->origin = builder->origin;
    zone->origin_labels = builder->origin_labels;
    zone->apex = builder->node_count == 0 ? NULL : builder->nodes[0];
    zone->node_count = builder->node_count;
    zone->rr_count = builder->record_count;
    status = check_apex(builder, file, zone, diag);
    if (status != 0) {
        return status;
    }
    status = make_table(builder, zone);
    if (status == 0) {
        link_nodes(builder);
        link_wildcards(builder);
        link_servers(builder, zone);
        status = check_servers(builder, zone, diag);
    }
    return status;
}

int zone_compile(struct zone_builder *builder, const char *file, struct zone **zone,
                 struct diag *diag)
{
    struct zone *made = arena_allocate(builder->arena, sizeof(*made));
    int status = made == NULL ? ERR_MEMORY : fill_zone(builder, file, made, diag);
    if (status == ERR_MEMORY) {
        return diag_fail(diag, ERR_MEMORY, file, 0, "out of memory");
    }
    if (status == 0) {
        made->arena = builder->arena;
        builder->arena = NULL;
        *zone = made;
    }
    return status;
}
