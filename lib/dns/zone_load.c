#include "dns/zone_load.h"

#include <errno.h>
#include <ldns/ldns.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "core/arena.h"
#include "core/error.h"
#include "core/file.h"
#include "dns/wire.h"
#include "dns/zone_generate.h"
#include "dns/zone_rdata_text.h"
#include "dns/zone_text.h"
#include "dns/zone_ttl.h"

#define INCLUDE_DEPTH_MAX   20
#define GENERATED_LINE_SIZE 4096
#define TTL_MAX_S           INT32_MAX /* RFC 2181 8 */

struct ttl {
    bool known;
    uint32_t s;
};

struct loader {
    struct zone_builder *builder;
    struct zone_warning_sink sink;
    struct diag *diag;
    struct arena *paths; /* names of included files, for zone_place */
    ldns_buffer *rdata;
    ldns_rdf *origin;
    ldns_rdf *owner;        /* of the last record, or NULL */
    struct ttl default_ttl; /* of $TTL, or the SOA's MINIMUM */
    struct ttl last_ttl;    /* the last that was written */
    bool warned_about_ttl;
    unsigned depth;
    struct zone_place place;
};

/* The words of a record between its owner and its RDATA. */
struct fields {
    struct ttl ttl;
    const char *type;
    char *rdata;
};

/* What is wrong at the present place; a macro so that the compiler checks format and values. */
#define fail(loader, ...)                                                                          \
    diag_fail((loader)->diag, ERR_SYNTAX, (loader)->place.file, (loader)->place.line, __VA_ARGS__)

static int fail_memory(struct loader *loader)
{
    return diag_fail(loader->diag, ERR_MEMORY, loader->place.file, loader->place.line,
                     "out of memory");
}

static void warn(struct loader *loader, const char *text)
{
    loader->sink.warn(loader->sink.context, &loader->place, text);
}

/* A domain name relative to the present origin; the caller frees it. NULL when it is none. */
static ldns_rdf *parse_name(const char *text, const ldns_rdf *origin)
{
    if (strcmp(text, "@") == 0) {
        return ldns_rdf_clone(origin);
    }
    ldns_rdf *name = NULL;
    if (ldns_str2rdf_dname(&name, text) != LDNS_STATUS_OK) {
        return NULL;
    }
    if (!ldns_dname_str_absolute(text) && ldns_dname_cat(name, origin) != LDNS_STATUS_OK) {
        ldns_rdf_deep_free(name);
        return NULL;
    }
    if (name_measure(ldns_rdf_data(name), ldns_rdf_size(name)) != ldns_rdf_size(name)) {
        ldns_rdf_deep_free(name);
        return NULL;
    }
    return name;
}

static int fail_name(struct loader *loader, const char *text)
{
    return fail(loader,
                "'%s' is not a domain name; labels have 1 to 63 octets, the whole has 255 at most "
                "(RFC 1035 2.3.4)",
                text);
}

static void replace_name(ldns_rdf **name, ldns_rdf *with)
{
    ldns_rdf_deep_free(*name);
    *name = with;
}

/* RFC 2181 8: a TTL with the top bit set counts as zero. */
static void limit_ttl(struct loader *loader, struct ttl *ttl)
{
    if (ttl->s > TTL_MAX_S) {
        warn(loader, "TTL is above 2147483647 s; setting it to 0");
        ttl->s = 0;
    }
}

/* 1 when the word is class IN, 0 when it is no class, an error when it is another class. */
static int parse_class(struct loader *loader, const char *word)
{
    static const char *const others[] = {"CH", "CHAOS", "HS", "HESIOD", "NONE"};
    if (strcasecmp(word, "IN") == 0 || strcasecmp(word, "CLASS1") == 0) {
        return 1;
    }
    bool is_class = strncasecmp(word, "CLASS", 5) == 0 && word[5] >= '0' && word[5] <= '9';
    for (size_t i = 0; i < ARRAY_LENGTH(others); i++) {
        is_class = is_class || strcasecmp(word, others[i]) == 0;
    }
    return is_class ? fail(loader, "class '%s' is not the zone's class IN", word) : 0;
}

/* [TTL] [class] type, the first two in either order (RFC 1035 5.1). */
static int parse_fields(struct loader *loader, char *rest, struct fields *fields)
{
    bool has_class = false;
    *fields = (struct fields){0};
    for (;;) {
        char *word = zone_text_word(&rest);
        if (word == NULL) {
            return fail(loader, "unexpected end of line; a record is: name [TTL] [IN] type data");
        }
        if (!fields->ttl.known && zone_ttl_parse(word, &fields->ttl.s)) {
            fields->ttl.known = true;
            limit_ttl(loader, &fields->ttl);
            continue;
        }
        fields->ttl.known = fields->ttl.known && fields->ttl.s <= TTL_MAX_S;
        int class_found = has_class ? 0 : parse_class(loader, word);
        if (class_found < 0) {
            return class_found;
        }
        if (class_found == 0) {
            fields->type = word;
            fields->rdata = rest;
            return 0;
        }
        has_class = true;
    }
}

/* The TTL of a record that may have none: $TTL's, else the last one's, else the SOA's MINIMUM. */
static int choose_ttl(struct loader *loader, struct zone_record *record, const struct ttl *written)
{
    if (written->known) {
        loader->last_ttl = *written;
    } else if (!loader->default_ttl.known && !loader->last_ttl.known &&
               record->type == DNS_TYPE_SOA && record->rdata_bytes >= 20) {
        const uint8_t *minimum = record->rdata + record->rdata_bytes - 4;
        loader->default_ttl.known = true;
        loader->default_ttl.s = (uint32_t)wire_get_u16(minimum) << 16 | wire_get_u16(minimum + 2);
        warn(loader, "no TTL specified; using SOA MINTTL instead");
        limit_ttl(loader, &loader->default_ttl);
        record->ttl_s = loader->default_ttl.s;
        return 0;
    } else if (loader->default_ttl.known) {
        record->ttl_s = loader->default_ttl.s;
        return 0;
    } else if (!loader->last_ttl.known) {
        return fail(loader, "no TTL specified; write one, or $TTL before the first record");
    } else if (!loader->warned_about_ttl) {
        warn(loader, "using RFC1035 TTL semantics");
        loader->warned_about_ttl = true;
    }
    record->ttl_s = loader->last_ttl.s;
    return 0;
}

static int load_record(struct loader *loader, char *rest)
{
    struct fields fields;
    int status = parse_fields(loader, rest, &fields);
    if (status == 0) {
        status = zone_rdata_read(fields.type, fields.rdata, loader->origin, &loader->place,
                                 loader->rdata, loader->diag);
    }
    if (status != 0) {
        return status;
    }
    struct zone_record record = {
        .owner = ldns_rdf_data(loader->owner),
        .type = zone_rdata_type(fields.type),
        .rdata = ldns_buffer_begin(loader->rdata),
        .rdata_bytes = (uint16_t)ldns_buffer_position(loader->rdata),
    };
    status = choose_ttl(loader, &record, &fields.ttl);
    if (status == 0) {
        status = zone_builder_add(loader->builder, &record, &loader->place, loader->diag);
    }
    return status;
}

/* Nothing may follow a directive's own words: what it was meant for would be lost. */
static int expect_end(struct loader *loader, const char *rest)
{
    return *rest == '\0' ? 0 : fail(loader, "extra input text '%s'; put it on its own line", rest);
}

static int load_file(struct loader *loader, const char *path);

/* $INCLUDE file [origin]: origin and owner are the includer's again behind it (RFC 1035 5.1). */
static int include(struct loader *loader, char *rest)
{
    char *path = zone_text_word(&rest);
    char *origin_text = zone_text_word(&rest);
    if (path == NULL) {
        return fail(loader, "$INCLUDE needs a file name, as $INCLUDE hosts.zone");
    }
    if (expect_end(loader, rest) != 0) {
        return ERR_SYNTAX;
    }
    size_t length = strlen(path);
    if (length >= 2 && path[0] == '"' && path[length - 1] == '"') {
        path[length - 1] = '\0';
        path++;
    }
    if (loader->depth >= INCLUDE_DEPTH_MAX) {
        return fail(loader, "$INCLUDE of '%s': files include each other more than 20 deep", path);
    }
    /* The place to mend is the line that names the file. */
    if (access(path, R_OK) != 0) {
        return diag_fail(loader->diag, ERR_SYSTEM, loader->place.file, loader->place.line,
                         "$INCLUDE of '%s', which cannot be read: %s; relative names begin at the "
                         "working directory",
                         path, strerror(errno));
    }
    ldns_rdf *inner = parse_name(origin_text == NULL ? "@" : origin_text, loader->origin);
    if (inner == NULL) {
        return fail_name(loader, origin_text);
    }
    const char *kept_path = arena_copy(loader->paths, path, strlen(path) + 1);
    if (kept_path == NULL) {
        ldns_rdf_deep_free(inner);
        return fail_memory(loader);
    }
    ldns_rdf *outer = loader->origin;
    ldns_rdf *outer_owner = loader->owner;
    struct zone_place outer_place = loader->place;
    loader->origin = inner;
    loader->owner = outer_owner == NULL ? NULL : ldns_rdf_clone(outer_owner);
    int status = load_file(loader, kept_path);
    replace_name(&loader->origin, outer);
    replace_name(&loader->owner, outer_owner);
    loader->place = outer_place;
    return status;
}

static int set_origin(struct loader *loader, char *rest)
{
    char *word = zone_text_word(&rest);
    ldns_rdf *origin = word == NULL ? NULL : parse_name(word, loader->origin);
    if (origin == NULL) {
        return fail(loader, "$ORIGIN needs a domain name such as example.com., not '%s'",
                    word == NULL ? "" : word);
    }
    replace_name(&loader->origin, origin);
    return expect_end(loader, rest);
}

static int set_default_ttl(struct loader *loader, char *rest)
{
    char *word = zone_text_word(&rest);
    if (word == NULL || !zone_ttl_parse(word, &loader->default_ttl.s)) {
        return fail(loader, "$TTL needs seconds or a time such as 1h30m, not '%s'",
                    word == NULL ? "" : word);
    }
    loader->default_ttl.known = true;
    limit_ttl(loader, &loader->default_ttl);
    return expect_end(loader, rest);
}

static int load_owned(struct loader *loader, char *word, char *rest);

/* $GENERATE range name [TTL] [IN] type data: the record for every number of the range. */
static int generate(struct loader *loader, char *rest)
{
    struct zone_generate_range range;
    char *word = zone_text_word(&rest);
    if (word == NULL || zone_generate_parse_range(word, &range) != 0) {
        return fail(loader, "$GENERATE: invalid range '%s'; write START-STOP or START-STOP/STEP",
                    word == NULL ? "" : word);
    }
    int status = 0;
    for (int64_t value = range.start; value <= range.stop && status == 0; value += range.step) {
        char line[GENERATED_LINE_SIZE];
        status = zone_generate_expand(rest, (int32_t)value, line, sizeof(line));
        if (status != 0) {
            return fail(loader, status == ERR_RANGE
                                    ? "$GENERATE: a number or the line is out of range"
                                    : "$GENERATE: syntax error; write $ or ${OFFSET,WIDTH,BASE}");
        }
        char *made = line;
        word = zone_text_word(&made);
        status = word == NULL ? fail(loader, "$GENERATE: a record must follow the range")
                              : load_owned(loader, word, made);
    }
    return status;
}

static int load_directive(struct loader *loader, const char *directive, char *rest)
{
    if (strcasecmp(directive, "$TTL") == 0) {
        return set_default_ttl(loader, rest);
    }
    if (strcasecmp(directive, "$ORIGIN") == 0) {
        return set_origin(loader, rest);
    }
    if (strcasecmp(directive, "$INCLUDE") == 0) {
        return include(loader, rest);
    }
    if (strcasecmp(directive, "$GENERATE") == 0) {
        return generate(loader, rest);
    }
    return fail(loader, "unknown $ directive '%s'; there are $ORIGIN, $TTL, $INCLUDE, $GENERATE",
                directive);
}

/* Loads a record whose owner is the first word. */
static int load_owned(struct loader *loader, char *word, char *rest)
{
    ldns_rdf *owner = parse_name(word, loader->origin);
    if (owner == NULL) {
        return fail_name(loader, word);
    }
    replace_name(&loader->owner, owner);
    return load_record(loader, rest);
}

static int load_entry(struct loader *loader, struct zone_entry *entry)
{
    char *rest = entry->text;
    if (entry->inherits_owner) {
        if (loader->owner == NULL) {
            return fail(loader, "no current owner name; the first record must name its owner");
        }
        return load_record(loader, rest);
    }
    char *word = zone_text_word(&rest);
    if (word[0] == '$') {
        return load_directive(loader, word, rest);
    }
    return load_owned(loader, word, rest);
}

static int load_file(struct loader *loader, const char *path)
{
    struct bytes octets;
    int status = file_read_all(path, &octets, loader->diag);
    if (status != 0) {
        return status;
    }
    struct zone_text text;
    struct zone_entry entry;
    zone_text_init(&text, path, octets.data, octets.size);
    loader->depth++;
    while ((status = zone_text_next(&text, &entry, loader->diag)) > 0) {
        loader->place = (struct zone_place){.file = path, .line = entry.line};
        status = load_entry(loader, &entry);
        if (status != 0) {
            break;
        }
    }
    loader->depth--;
    zone_text_release(&text);
    bytes_free(&octets);
    return status;
}

static void loader_release(struct loader *loader)
{
    zone_builder_free(loader->builder);
    arena_free(loader->paths);
    ldns_buffer_free(loader->rdata);
    ldns_rdf_deep_free(loader->origin);
    ldns_rdf_deep_free(loader->owner);
}

int zone_load(const char *origin_text, const char *path, const struct zone_warning_sink *sink,
              struct zone **zone, struct diag *diag)
{
    struct loader loader = {.sink = *sink, .diag = diag, .place = {.file = path}};
    ldns_rdf *root = ldns_dname_new_frm_str(".");
    loader.origin = root == NULL ? NULL : parse_name(origin_text, root);
    ldns_rdf_deep_free(root);
    if (loader.origin == NULL) {
        return diag_fail(diag, ERR_SYNTAX, path, 0, "zone name '%s' is not a domain name",
                         origin_text);
    }
    loader.builder = zone_builder_create(ldns_rdf_data(loader.origin), sink);
    loader.paths = arena_create();
    loader.rdata = ldns_buffer_new(LDNS_MAX_PACKETLEN);
    int status = ERR_MEMORY;
    if (loader.builder == NULL || loader.paths == NULL || loader.rdata == NULL) {
        diag_fail(diag, ERR_MEMORY, path, 0, "out of memory");
    } else {
        status = load_file(&loader, path);
    }
    if (status == 0) {
        status = zone_builder_finish(loader.builder, path, zone, diag);
    }
    loader_release(&loader);
    return status;
}
