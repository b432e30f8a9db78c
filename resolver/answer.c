#include "answer.h"

#include <stdbool.h>
#include <string.h>

#include "query.h"
#include "response.h"

/* Names followed from the first at most: by then it is a loop or might as well be. */
#define CHAIN_MAX 16

/* Name servers of a delegation whose glue is given. */
#define SERVERS_MAX 64

enum { TYPE_MAILB = 253, TYPE_MAILA = 254, TYPE_META_FIRST = 128, TYPE_META_LAST = 255 };

/* The search for one question. The name changes when a CNAME or DNAME is followed. */
struct search {
    struct response *response;
    const struct zone *zone;
    uint16_t type;
    const struct name_index *name;
    size_t name_offset; /* where the name stands in the response */
    struct name_index target;
    unsigned chain_length;
    uint16_t chain[CHAIN_MAX]; /* offsets of the names that were followed */
};

enum step { STEP_DONE, STEP_FOLLOW };

static void set_truncated(struct response *response)
{
    response->flags |= DNS_FLAG_TC;
}

/* The offset of the zone's own name or of a cut, which the present name ends in. */
static size_t ancestor_offset(const struct search *search, const uint8_t *ancestor)
{
    unsigned skip = search->name->label_count - name_label_count(ancestor);
    return response_suffix_offset(search->response, search->name_offset, skip);
}

/* NODATA and NXDOMAIN carry the SOA (RFC 2308 3). The question for an SOA itself gets it with TTL
 * 0, lest a resolver's walk for a zone's top is remembered (named's zero-no-soa-ttl). */
static enum step add_negative(struct search *search, enum dns_rcode rcode)
{
    struct response *response = search->response;
    response->rcode = (uint16_t)rcode;
    uint32_t ttl_s = search->type == DNS_TYPE_SOA ? 0 : search->zone->soa_negative_ttl_s;
    size_t owner = ancestor_offset(search, search->zone->origin);
    if (!response_add_soa(response, owner, search->zone->soa, ttl_s)) {
        set_truncated(response);
    }
    return STEP_DONE;
}

/* The addresses in this zone of a delegation's servers, which cannot be asked for elsewhere. */
static void add_glue(struct response *response, const struct zone_rrset *ns,
                     const uint16_t *server_offsets)
{
    static const uint16_t address_types[] = {DNS_TYPE_A, DNS_TYPE_AAAA};
    unsigned count = ns->rr_count < SERVERS_MAX ? ns->rr_count : SERVERS_MAX;
    for (unsigned i = 0; i < count; i++) {
        const struct zone_node *server = ns->names[i].node;
        if (server == NULL || server->cut == NULL) {
            continue;
        }
        for (size_t k = 0; k < ARRAY_LENGTH(address_types); k++) {
            const struct zone_rrset *addresses = zone_node_rrset(server, address_types[k]);
            if (addresses != NULL && !response_add_rrset(response, SECTION_ADDITIONAL,
                                                         server_offsets[i], addresses, NULL, 0)) {
                set_truncated(response); /* RFC 9471 3.1: glue is not optional */
                return;
            }
        }
    }
}

static enum step add_referral(struct search *search, const struct zone_node *cut)
{
    struct response *response = search->response;
    const struct zone_rrset *ns = zone_node_rrset(cut, DNS_TYPE_NS);
    uint16_t server_offsets[SERVERS_MAX];
    if (search->chain_length == 0) {
        response->flags &= (uint16_t)~DNS_FLAG_AA;
    }
    if (!response_add_rrset(response, SECTION_AUTHORITY, ancestor_offset(search, cut->name), ns,
                            server_offsets, SERVERS_MAX)) {
        set_truncated(response);
    } else {
        add_glue(response, ns, server_offsets);
    }
    return STEP_DONE;
}

/* Adds the present name's RRset; on truncation there is nothing more to say. */
static bool add_answer(struct search *search, const struct zone_rrset *rrset)
{
    if (response_add_rrset(search->response, SECTION_ANSWER, search->name_offset, rrset, NULL, 0)) {
        return true;
    }
    set_truncated(search->response);
    return false;
}

static enum step add_everything(struct search *search, const struct zone_node *node)
{
    for (unsigned i = 0; i < node->rrset_count; i++) {
        if (!add_answer(search, &node->rrsets[i])) {
            break;
        }
    }
    return STEP_DONE;
}

/* Makes the name at `offset` the one to look for, unless it is out of the zone or was had. */
static enum step follow(struct search *search, const uint8_t *name, size_t offset)
{
    if (!name_is_within(name, search->zone->origin) || search->chain_length == CHAIN_MAX) {
        return STEP_DONE;
    }
    search->chain[search->chain_length++] = (uint16_t)search->name_offset;
    for (unsigned i = 0; i < search->chain_length; i++) {
        if (search->chain[i] == offset) {
            return STEP_DONE;
        }
    }
    name_index_make(&search->target, name, name_length(name));
    search->name = &search->target;
    search->name_offset = offset;
    return STEP_FOLLOW;
}

static enum step follow_cname(struct search *search, const struct zone_rrset *cname)
{
    uint16_t offset;
    if (!response_add_rrset(search->response, SECTION_ANSWER, search->name_offset, cname, &offset,
                            1)) {
        set_truncated(search->response);
        return STEP_DONE;
    }
    return follow(search, cname->names[0].wire, offset);
}

/* The present name with its ending `owner` replaced by the DNAME's target; its octets, or 0 when
 * that is too long for a name (RFC 6672 2.2). */
static size_t substitute(const struct search *search, const struct zone_node *owner,
                         const uint8_t *target, uint8_t made[DNS_NAME_MAX_BYTES])
{
    size_t kept = search->name->length - owner->name_bytes;
    size_t target_bytes = name_length(target);
    if (kept + target_bytes > DNS_NAME_MAX_BYTES) {
        return 0;
    }
    const uint8_t *message = search->response->out.base;
    size_t offset = search->name_offset;
    for (size_t at = 0; at < kept; at += 1u + made[at]) {
        offset = response_suffix_offset(search->response, offset, 0);
        memcpy(made + at, message + offset, 1u + message[offset]);
        offset += 1u + message[offset];
    }
    memcpy(made + kept, target, target_bytes);
    return kept + target_bytes;
}

/* Adds the DNAME and the CNAME that it stands for (RFC 6672 3.1). */
static enum step follow_dname(struct search *search, const struct zone_node *owner,
                              const struct zone_rrset *dname)
{
    struct response *response = search->response;
    uint8_t made[DNS_NAME_MAX_BYTES];
    size_t dname_offset = ancestor_offset(search, owner->name);
    if (!response_add_rrset(response, SECTION_ANSWER, dname_offset, dname, NULL, 0)) {
        set_truncated(response);
        return STEP_DONE;
    }
    const uint8_t *target = dname->image + ZONE_IMAGE_FIXED_BYTES;
    size_t length = substitute(search, owner, target, made);
    if (length == 0) {
        response->rcode = DNS_RCODE_YXDOMAIN;
        return STEP_DONE;
    }
    struct name_index index;
    name_index_make(&index, made, length);
    struct zone_rdata_name name = {
        .wire = made, .suffix_hash = index.hash, .label_count = index.label_count};
    const uint8_t *ttl = dname->image + ZONE_IMAGE_TTL_OFFSET;
    uint32_t ttl_s = (uint32_t)wire_get_u16(ttl) << 16 | wire_get_u16(ttl + 2);
    uint16_t offset;
    if (!response_add_name_rr(response, SECTION_ANSWER, search->name_offset, DNS_TYPE_CNAME, ttl_s,
                              &name, &offset)) {
        set_truncated(response);
        return STEP_DONE;
    }
    return follow(search, made, offset);
}

/* The name is in the zone's authority, and this is its node or the wildcard that stands for it. */
static enum step answer_from_node(struct search *search, const struct zone_node *node)
{
    if (search->type == DNS_TYPE_ANY && node->rrset_count > 0) {
        return add_everything(search, node);
    }
    const struct zone_rrset *rrset = zone_node_rrset(node, search->type);
    if (rrset != NULL) {
        add_answer(search, rrset);
        return STEP_DONE;
    }
    const struct zone_rrset *cname = zone_node_rrset(node, DNS_TYPE_CNAME);
    if (cname != NULL) {
        return follow_cname(search, cname);
    }
    return add_negative(search, DNS_RCODE_NOERROR);
}

/* RFC 1034 4.3.2 step 3, with RFC 4592 3.3 and RFC 6672 3.2, for the present name. */
static enum step look_up(struct search *search)
{
    unsigned missing;
    const struct zone_node *encloser = zone_find_encloser(search->zone, search->name, &missing);
    const struct zone_node *cut = encloser->cut;
    /* A DS lives on the parent's side of the cut (RFC 4035 3.1.4.1). */
    bool asks_parent = search->type == DNS_TYPE_DS && missing == 0 && cut == encloser;
    if (cut != NULL && !asks_parent) {
        return add_referral(search, cut);
    }
    const struct zone_node *owner =
        missing > 0 && encloser->dname == NULL ? encloser : encloser->dname;
    const struct zone_rrset *dname = owner == NULL ? NULL : zone_node_rrset(owner, DNS_TYPE_DNAME);
    if (dname != NULL) {
        return follow_dname(search, owner, dname);
    }
    if (missing == 0) {
        return answer_from_node(search, encloser);
    }
    if (encloser->wildcard != NULL) {
        return answer_from_node(search, encloser->wildcard);
    }
    return add_negative(search, DNS_RCODE_NXDOMAIN);
}

static void answer_from_zone(struct response *response, const struct zone *zone,
                             const struct query *query)
{
    struct search search;
    search.response = response;
    search.zone = zone;
    search.type = query->type;
    search.name = &query->index;
    search.name_offset = RESPONSE_QUESTION_OFFSET;
    search.chain_length = 0;
    response->flags |= DNS_FLAG_AA;
    while (look_up(&search) == STEP_FOLLOW) {
    }
}

/* The zone to answer from; a DS belongs to the zone above the name if that is here, too. */
static const struct zone *choose_zone(const struct zone_set *zones, const struct query *query)
{
    const struct zone *zone = zone_set_find(zones, &query->index, 0);
    if (query->type == DNS_TYPE_DS && zone != NULL && query->index.label_count > 0 &&
        zone->origin_labels == query->index.label_count) {
        const struct zone *parent = zone_set_find(zones, &query->index, 1);
        return parent == NULL ? zone : parent;
    }
    return zone;
}

/* QTYPEs that are no types of data; ANY is all that is left of them for us. */
static enum dns_rcode check_type(uint16_t type)
{
    if (type == TYPE_MAILA || type == TYPE_MAILB) {
        return DNS_RCODE_NOTIMP;
    }
    if (type == DNS_TYPE_AXFR || type == DNS_TYPE_IXFR) {
        return DNS_RCODE_REFUSED;
    }
    bool is_meta = type == DNS_TYPE_OPT || (type >= TYPE_META_FIRST && type <= TYPE_META_LAST);
    return is_meta && type != DNS_TYPE_ANY ? DNS_RCODE_FORMERR : DNS_RCODE_NOERROR;
}

/* The rcode that needs no look at the zones, NOERROR when there is none. */
static enum dns_rcode check_query(const struct query *query, enum query_status status)
{
    if (status == QUERY_MALFORMED) {
        return DNS_RCODE_FORMERR;
    }
    if (query->has_edns && query->edns_version > 0) {
        return DNS_RCODE_BADVERS;
    }
    if (query->opcode != DNS_OPCODE_QUERY) {
        return DNS_RCODE_NOTIMP;
    }
    if (query->class != DNS_CLASS_IN) {
        return DNS_RCODE_REFUSED;
    }
    return check_type(query->type);
}

size_t answer(const struct zone_set *zones, const uint8_t *query_octets, size_t query_bytes,
              uint8_t out[ANSWER_MAX_BYTES])
{
    struct query query;
    struct response response;
    enum query_status status = query_parse(&query, query_octets, query_bytes);
    if (status == QUERY_IGNORED) {
        return 0;
    }
    response_begin(&response, &query, out, ANSWER_MAX_BYTES);
    response.rcode = (uint16_t)check_query(&query, status);
    if (response.rcode == DNS_RCODE_NOERROR) {
        const struct zone *zone = choose_zone(zones, &query);
        if (zone == NULL) {
            response.rcode = DNS_RCODE_REFUSED;
        } else {
            answer_from_zone(&response, zone, &query);
        }
    }
    return response_finish(&response);
}
