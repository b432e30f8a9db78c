#include "answer.h"

#include <stdbool.h>
#include <string.h>

#include "query.h"
#include "response.h"

/* Aliases followed at most, as by named (max-query-restarts): by then it is a loop, or as bad. */
#define CHAIN_MAX 11

/* Name servers of a delegation whose glue is given. */
#define SERVERS_MAX 64

enum { TYPE_SIG = 24, TYPE_KEY = 25, TYPE_NSEC = 47, TYPE_DNSKEY = 48, TYPE_NSEC3PARAM = 51 };
enum { TYPE_MAILB = 253, TYPE_MAILA = 254, TYPE_META_FIRST = 128, TYPE_META_LAST = 255 };

/* The search for one question. The name changes when a CNAME or DNAME is followed. */
struct search {
    struct response *response;
    const struct zone_set *zones;
    const struct zone *zone; /* of them, where the first name is */
    uint16_t type;
    const struct name_index *name;
    size_t name_offset; /* where the name stands in the response */
    struct name_index target;
    const struct zone_node *dnames[CHAIN_MAX + 1]; /* whose DNAME is in the answer */
    unsigned dname_count;
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

/* NODATA and NXDOMAIN carry the SOA with the negative TTL (RFC 2308 3 and 5). NXDOMAIN for the SOA
 * itself gets TTL 0 as from named (zero-no-soa-ttl), lest the walk up to a zone's top is cached. */
static enum step add_negative(struct search *search, enum dns_rcode rcode)
{
    struct response *response = search->response;
    response->rcode = (uint16_t)rcode;
    bool is_walk = rcode == DNS_RCODE_NXDOMAIN && search->type == DNS_TYPE_SOA;
    uint32_t ttl_s = is_walk ? 0 : search->zone->soa_negative_ttl_s;
    size_t owner = ancestor_offset(search, search->zone->origin);
    if (!response_add_soa(response, owner, search->zone->soa, ttl_s)) {
        set_truncated(response);
    }
    return STEP_DONE;
}

/* Adds one server's addresses of a type; false when they do not fit. */
static bool add_address(struct response *response, const struct zone_node *server, uint16_t offset,
                        uint16_t type)
{
    const struct zone_rrset *addresses = zone_node_rrset(server, type);
    return addresses == NULL ||
           response_add_rrset(response, SECTION_ADDITIONAL, offset, addresses, NULL, 0);
}

/* A walk over the addresses of name servers: all of IPv4 first, so that when room is short as many
 * servers as can be are reached. */
struct address_walk {
    const struct zone_rrset *ns;
    const uint16_t *server_offsets;
    unsigned at;
};

/* The next server in this zone, with the type of address to give; NULL at the end. */
static const struct zone_node *next_address(struct address_walk *walk, uint16_t *type,
                                            uint16_t *offset)
{
    static const uint16_t types[] = {DNS_TYPE_A, DNS_TYPE_AAAA};
    unsigned count = walk->ns->rr_count < SERVERS_MAX ? walk->ns->rr_count : SERVERS_MAX;
    while (walk->at < ARRAY_LENGTH(types) * count) {
        unsigned server = walk->at % count;
        *type = types[walk->at / count];
        *offset = walk->server_offsets[server];
        walk->at++;
        if (walk->ns->names[server].node != NULL) {
            return walk->ns->names[server].node;
        }
    }
    return NULL;
}

/* Adds the glue of a delegation: addresses that lie in delegated zones. Servers inside the
 * delegated zone itself cannot be found otherwise, so the client must come back by TCP if theirs
 * do not fit (RFC 9471 3.1). */
static void add_glue(struct response *response, const struct zone_node *cut,
                     const struct zone_rrset *ns, const uint16_t *server_offsets)
{
    struct address_walk walk = {.ns = ns, .server_offsets = server_offsets};
    const struct zone_node *server;
    uint16_t type;
    uint16_t offset;
    while ((server = next_address(&walk, &type, &offset)) != NULL) {
        if (server->cut != NULL && !add_address(response, server, offset, type) &&
            server->cut == cut) {
            set_truncated(response);
        }
    }
}

/* Adds the addresses of name servers that were asked for: what the zone has with authority, as many
 * as fit. */
static void add_server_addresses(struct response *response, const struct zone_rrset *ns,
                                 const uint16_t *server_offsets)
{
    struct address_walk walk = {.ns = ns, .server_offsets = server_offsets};
    const struct zone_node *server;
    uint16_t type;
    uint16_t offset;
    while ((server = next_address(&walk, &type, &offset)) != NULL) {
        if (server->cut == NULL) {
            (void)add_address(response, server, offset, type);
        }
    }
}

/* Whether the client left room for more than the answer, as named judges it. */
static bool wants_additional(const struct query *query)
{
    return !query->has_edns || query->udp_bytes > DNS_UDP_MAX_BYTES;
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
        add_glue(response, cut, ns, server_offsets);
    }
    return STEP_DONE;
}

/* Adds the present name's RRset. Only name servers bring their addresses along, as named's do with
 * minimal-responses. */
static enum step add_data(struct search *search, const struct zone_rrset *rrset)
{
    struct response *response = search->response;
    uint16_t offsets[SERVERS_MAX];
    if (!response_add_rrset(response, SECTION_ANSWER, search->name_offset, rrset, offsets,
                            SERVERS_MAX)) {
        set_truncated(response);
    } else if (rrset->type == DNS_TYPE_NS && wants_additional(response->query)) {
        add_server_addresses(response, rrset, offsets);
    }
    return STEP_DONE;
}

/* Types that only a signed zone's ANY shows: another zone may be on its way to being signed. */
static bool is_dnssec_type(uint16_t type)
{
    return type == DNS_TYPE_DS || type == DNS_TYPE_RRSIG || type == TYPE_NSEC ||
           type == TYPE_DNSKEY || type == TYPE_NSEC3PARAM;
}

static enum step add_everything(struct search *search, const struct zone_node *node)
{
    for (unsigned i = 0; i < node->rrset_count; i++) {
        if (!search->zone->is_signed && is_dnssec_type(node->rrsets[i].type)) {
            continue;
        }
        if (!response_add_rrset(search->response, SECTION_ANSWER, search->name_offset,
                                &node->rrsets[i], NULL, 0)) {
            set_truncated(search->response);
            break;
        }
    }
    return STEP_DONE;
}

/* The zone to answer from; a DS belongs to the zone above the name if that is here, too. */
static const struct zone *choose_zone(const struct zone_set *zones, const struct name_index *name,
                                      uint16_t type)
{
    const struct zone *zone = zone_set_find(zones, name, 0);
    if (type == DNS_TYPE_DS && zone != NULL && name->label_count > 0 &&
        zone->origin_labels == name->label_count) {
        const struct zone *parent = zone_set_find(zones, name, 1);
        return parent == NULL ? zone : parent;
    }
    return zone;
}

/* Makes the name at `offset` the one to look for. Like named without recursion we stop where
 * another zone begins, ours or not: the client asks again there. */
static enum step follow(struct search *search, const uint8_t *name, size_t offset)
{
    if (search->chain_length == CHAIN_MAX) {
        search->response->rcode = DNS_RCODE_SERVFAIL;
        return STEP_DONE;
    }
    name_index_make(&search->target, name, name_length(name));
    if (choose_zone(search->zones, &search->target, search->type) != search->zone) {
        return STEP_DONE;
    }
    search->chain[search->chain_length++] = (uint16_t)search->name_offset;
    for (unsigned i = 0; i < search->chain_length; i++) {
        if (search->chain[i] == offset) {
            search->response->rcode = DNS_RCODE_SERVFAIL;
            return STEP_DONE;
        }
    }
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

/* Adds a DNAME, unless an earlier step did. */
static bool add_dname(struct search *search, const struct zone_node *owner,
                      const struct zone_rrset *dname)
{
    for (unsigned i = 0; i < search->dname_count; i++) {
        if (search->dnames[i] == owner) {
            return true;
        }
    }
    search->dnames[search->dname_count++] = owner;
    size_t offset = ancestor_offset(search, owner->name);
    if (!response_add_rrset(search->response, SECTION_ANSWER, offset, dname, NULL, 0)) {
        set_truncated(search->response);
        return false;
    }
    response_remember(search->response, dname->image + ZONE_IMAGE_FIXED_BYTES);
    return true;
}

/* Adds the DNAME and the CNAME that it stands for (RFC 6672 3.1). */
static enum step follow_dname(struct search *search, const struct zone_node *owner,
                              const struct zone_rrset *dname)
{
    struct response *response = search->response;
    uint8_t made[DNS_NAME_MAX_BYTES];
    if (!add_dname(search, owner, dname)) {
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
    bool is_answered = search->type == DNS_TYPE_CNAME || search->type == DNS_TYPE_ANY;
    return is_answered ? STEP_DONE : follow(search, made, offset);
}

/* Types that a name with a CNAME can have itself are not looked for at the alias's target
 * (RFC 4035 2.5, RFC 2181 10.1). */
static bool belongs_beside_cname(uint16_t type)
{
    return type == TYPE_SIG || type == TYPE_KEY || type == DNS_TYPE_RRSIG || type == TYPE_NSEC;
}

/* The name is in the zone's authority, and this is its node or the wildcard that stands for it. */
static enum step answer_from_node(struct search *search, const struct zone_node *node)
{
    if (search->type == DNS_TYPE_ANY && node->rrset_count > 0) {
        return add_everything(search, node);
    }
    const struct zone_rrset *rrset = zone_node_rrset(node, search->type);
    if (rrset != NULL) {
        return add_data(search, rrset);
    }
    const struct zone_rrset *cname = zone_node_rrset(node, DNS_TYPE_CNAME);
    if (cname != NULL && !belongs_beside_cname(search->type)) {
        return follow_cname(search, cname);
    }
    return add_negative(search, DNS_RCODE_NOERROR);
}

/* Whether the question is for the parent's side of a cut: for the DS, there or not, and for what
 * the parent holds beside it (RFC 4035 2.6 and 3.1.4.1). */
static bool asks_parent(const struct zone_node *cut, uint16_t type)
{
    if (type == TYPE_NSEC || type == TYPE_KEY) {
        return zone_node_rrset(cut, type) != NULL;
    }
    return type == DNS_TYPE_DS;
}

/* RFC 1034 4.3.2 step 3, with RFC 4592 3.3 and RFC 6672 3.2, for the present name. */
static enum step look_up(struct search *search)
{
    unsigned missing;
    const struct zone_node *encloser = zone_find_encloser(search->zone, search->name, &missing);
    const struct zone_node *cut = encloser->cut;
    if (cut != NULL && !(missing == 0 && cut == encloser && asks_parent(cut, search->type))) {
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

static void answer_from_zone(struct response *response, const struct zone_set *zones,
                             const struct zone *zone, const struct query *query)
{
    struct search search;
    search.zones = zones;
    search.response = response;
    search.zone = zone;
    search.type = query->type;
    search.name = &query->index;
    search.name_offset = RESPONSE_QUESTION_OFFSET;
    search.dname_count = 0;
    search.chain_length = 0;
    response->flags |= DNS_FLAG_AA;
    while (look_up(&search) == STEP_FOLLOW) {
    }
}

/* A zone transfer needs TCP, and a zone (RFC 5936 4.2, RFC 1995 2). */
static enum dns_rcode refuse_transfer(const struct zone_set *zones, const struct query *query)
{
    const struct zone *zone = zone_set_find(zones, &query->index, 0);
    bool is_zone = zone != NULL && zone->origin_labels == query->index.label_count;
    return is_zone ? DNS_RCODE_FORMERR : DNS_RCODE_NOTAUTH;
}

/* QTYPEs that are no types of data; ANY is all that is left of them. */
static enum dns_rcode check_type(const struct zone_set *zones, const struct query *query)
{
    uint16_t type = query->type;
    if (type == DNS_TYPE_ANY) {
        return DNS_RCODE_NOERROR;
    }
    if (type == TYPE_MAILA || type == TYPE_MAILB) {
        return DNS_RCODE_NOTIMP;
    }
    if (type == DNS_TYPE_AXFR || type == DNS_TYPE_IXFR) {
        return refuse_transfer(zones, query);
    }
    bool is_meta = type == DNS_TYPE_OPT || (type >= TYPE_META_FIRST && type <= TYPE_META_LAST);
    return is_meta ? DNS_RCODE_FORMERR : DNS_RCODE_NOERROR;
}

/* CHAOS and HESIOD have no zone here, others are unknown. */
static enum dns_rcode check_class(uint16_t class)
{
    switch (class) {
    case DNS_CLASS_IN:
        return DNS_RCODE_NOERROR;
    case DNS_CLASS_CH:
    case DNS_CLASS_HS:
        return DNS_RCODE_REFUSED;
    default:
        return DNS_RCODE_NOTIMP;
    }
}

/* What can be said of a message of any opcode. */
static enum dns_rcode check_message(const struct query *query, enum query_status status)
{
    if (status == QUERY_MALFORMED) {
        return DNS_RCODE_FORMERR;
    }
    if (query->has_edns && query->edns_version > 0) {
        return DNS_RCODE_BADVERS;
    }
    bool has_bad_options = query->has_edns && !query->options_are_valid;
    bool has_bad_class =
        query->has_question && (query->class == DNS_CLASS_NONE || query->class == DNS_CLASS_ANY);
    return has_bad_options || has_bad_class ? DNS_RCODE_FORMERR : DNS_RCODE_NOERROR;
}

/* The rcode that needs no look into the zones, NOERROR when there is none; as named judges, in its
 * order. */
static enum dns_rcode check_query(const struct zone_set *zones, const struct query *query,
                                  enum query_status status)
{
    enum dns_rcode rcode = check_message(query, status);
    if (rcode != DNS_RCODE_NOERROR) {
        return rcode;
    }
    if (!query->has_question || query->class == 0) {
        return DNS_RCODE_FORMERR;
    }
    rcode = check_class(query->class);
    return rcode == DNS_RCODE_NOERROR ? check_type(zones, query) : rcode;
}

/* An opcode that we do not know may have other things where a query has its question. */
static size_t refuse_opcode(struct query *query, enum query_status status, uint8_t *out)
{
    struct response response;
    enum dns_rcode rcode = check_message(query, status);
    query->has_question = false;
    query->flags &= (uint16_t) ~(DNS_FLAG_RD | DNS_FLAG_CD);
    response_begin(&response, query, out, ANSWER_MAX_BYTES);
    response.rcode = (uint16_t)(rcode == DNS_RCODE_NOERROR ? DNS_RCODE_NOTIMP : rcode);
    return response_finish(&response);
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
    if (query.opcode != DNS_OPCODE_QUERY) {
        return refuse_opcode(&query, status, out);
    }
    response_begin(&response, &query, out, ANSWER_MAX_BYTES);
    response.rcode = (uint16_t)check_query(zones, &query, status);
    if (response.rcode == DNS_RCODE_NOERROR) {
        const struct zone *zone = choose_zone(zones, &query.index, query.type);
        if (zone == NULL) {
            response.rcode = DNS_RCODE_REFUSED;
        } else {
            answer_from_zone(&response, zones, zone, &query);
        }
    }
    return response_finish(&response);
}
