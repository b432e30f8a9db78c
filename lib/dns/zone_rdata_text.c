#include "dns/zone_rdata_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/error.h"
#include "core/number.h"
#include "dns/wire.h"
#include "dns/zone_hint.h"
#include "dns/zone_text.h"
#include "dns/zone_ttl.h"

/* Of longer text ldns reads the beginning only. */
#define TEXT_MAX LDNS_MAX_PACKETLEN

enum { TYPE_CAA = 257, TYPE_SVCB = 64, TYPE_HTTPS = 65 };

/* RDATA that is being read. */
struct source {
    const char *type_word;
    uint16_t type;
    char *text; /* a copy that may be cut into words */
    const ldns_rdf *origin;
    const struct zone_place *place;
    struct diag *diag;
};

/* A macro so that the compiler checks format and values. */
#define fail(source, ...)                                                                          \
    diag_fail((source)->diag, ERR_SYNTAX, (source)->place->file, (source)->place->line, __VA_ARGS__)

static int fail_memory(const struct source *source)
{
    return diag_fail(source->diag, ERR_MEMORY, source->place->file, source->place->line,
                     "out of memory");
}

uint16_t zone_rdata_type(const char *word)
{
    uint64_t number;
    if (strncasecmp(word, "TYPE", 4) == 0 && word[4] >= '0' && word[4] <= '9') {
        return number_parse_u64(word + 4, 0, UINT16_MAX, &number) == 0 ? (uint16_t)number : 0;
    }
    return (uint16_t)ldns_get_rr_type_by_name(word);
}

/* A hexadecimal digit's value, or -1. */
static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* The hex digits, which may have gaps, of so many octets. */
static int read_hex(const struct source *source, const char *digits, size_t length,
                    ldns_buffer *octets)
{
    int high = -1;
    ldns_buffer_clear(octets);
    for (; *digits != '\0'; digits++) {
        int digit = hex_digit(*digits);
        if (*digits == ' ') {
            continue;
        }
        if (digit < 0 || ldns_buffer_position(octets) == length) {
            return fail(source, "bad generic data; %s",
                        digit < 0 ? "there is no such hex digit" : "more octets than announced");
        }
        if (high < 0) {
            high = digit;
        } else {
            ldns_buffer_write_u8(octets, (uint8_t)(high << 4 | digit));
            high = -1;
        }
    }
    if (high >= 0 || ldns_buffer_position(octets) != length) {
        return fail(source, "bad generic data; fewer octets than announced");
    }
    return 0;
}

/* Whether ldns finds all fields of the type in the octets, and nothing behind them. For a type that
 * it does not know, and for NULL, any octets will do. */
static bool has_all_fields(uint16_t type, ldns_buffer *octets)
{
    const ldns_rr_descriptor *form = ldns_rr_descript(type);
    size_t needed = ldns_rr_descriptor_minimum(form);
    size_t size = ldns_buffer_position(octets);
    uint8_t *rdata = malloc(2 + size);
    ldns_rr *rr = ldns_rr_new();
    bool is_complete = true;
    if (type == TYPE_CAA) {
        needed--; /* its value may be empty */
    }
    if (rdata != NULL && rr != NULL && type != LDNS_RR_TYPE_NULL) {
        size_t at = 0;
        wire_put_u16(rdata, (uint16_t)size);
        memcpy(rdata + 2, ldns_buffer_begin(octets), size);
        ldns_rr_set_type(rr, type);
        is_complete = ldns_wire2rdf(rr, rdata, 2 + size, &at) == LDNS_STATUS_OK && at == 2 + size &&
                      ldns_rr_rd_count(rr) >= needed;
    }
    free(rdata);
    ldns_rr_free(rr);
    return is_complete;
}

/* \# LENGTH DIGITS (RFC 3597 5). */
static int read_generic(const struct source *source, char *rest, ldns_buffer *octets)
{
    uint64_t length;
    const char *word = zone_text_word(&rest);
    if (word == NULL || number_parse_u64(word, 0, UINT16_MAX, &length) != 0) {
        return fail(source, "bad generic data; write \\# LENGTH and so many octets in hex digits");
    }
    int status = read_hex(source, rest, length, octets);
    if (status == 0 && !has_all_fields(source->type, octets)) {
        return fail(source,
                    "malformed data for type %s: %s is no more than another way to write %s",
                    source->type_word, "\\# LENGTH and octets", zone_hint_rdata(source->type));
    }
    return status;
}

static bool is_number_to(const char *word, uint64_t max)
{
    uint64_t number;
    return number_parse_u64(word, 0, max, &number) == 0;
}

/* What would be right for a word in a field where ldns would take something else for it, or
 * NULL. */
static const char *judge_word(ldns_rdf_type field, const char *word)
{
    uint32_t seconds;
    switch (field) {
    case LDNS_RDF_TYPE_INT8:
        return is_number_to(word, UINT8_MAX) ? NULL : "a number from 0 to 255";
    case LDNS_RDF_TYPE_INT16:
        return is_number_to(word, UINT16_MAX) ? NULL : "a number from 0 to 65535";
    case LDNS_RDF_TYPE_INT32:
        return is_number_to(word, UINT32_MAX) ? NULL : "a number from 0 to 4294967295";
    case LDNS_RDF_TYPE_PERIOD:
        return zone_ttl_parse(word, &seconds) ? NULL : "seconds or a time such as 1h30m";
    case LDNS_RDF_TYPE_ALG:
    case LDNS_RDF_TYPE_CERTIFICATE_USAGE:
    case LDNS_RDF_TYPE_SELECTOR:
    case LDNS_RDF_TYPE_MATCHING_TYPE:
        return hex_digit(word[0]) > 9 || word[0] > '9' || is_number_to(word, UINT8_MAX)
                   ? NULL
                   : "a mnemonic or a number from 0 to 255";
    case LDNS_RDF_TYPE_NSEC:
    case LDNS_RDF_TYPE_TYPE:
        return zone_rdata_type(word) != 0 ? NULL : "a type";
    default:
        return NULL;
    }
}

/* What would be right for a parameter of SVCB (RFC 9460 2.1) that ldns misreads, or NULL. */
static const char *judge_parameter(const char *word)
{
    if (strncasecmp(word, "port=", 5) == 0 && word[5] != '"' && !is_number_to(word + 5, 65535)) {
        return "a port from 0 to 65535";
    }
    if (strncasecmp(word, "alpn=", 5) == 0 && strchr(word, '\\') != NULL) {
        return "protocols without escapes (an odd one can be written with \\#, RFC 3597)";
    }
    return NULL;
}

/* The field that a word is for. The last one may take many words. */
static ldns_rdf_type field_of(const ldns_rr_descriptor *form, size_t word)
{
    size_t count = ldns_rr_descriptor_maximum(form);
    if (count == 0) {
        return LDNS_RDF_TYPE_NONE;
    }
    return ldns_rr_descriptor_field_type(form, word < count ? word : count - 1);
}

/* Judges the words for the fields that ldns has them in. */
static int check_words(const struct source *source)
{
    const ldns_rr_descriptor *form = ldns_rr_descript(source->type);
    bool is_service = source->type == TYPE_SVCB || source->type == TYPE_HTTPS;
    char *copy = strdup(source->text);
    char *rest = copy;
    const char *word;
    int status = copy == NULL ? fail_memory(source) : 0;
    for (size_t i = 0; status == 0 && (word = zone_text_word(&rest)) != NULL; i++) {
        const char *right =
            is_service && i >= 2 ? judge_parameter(word) : judge_word(field_of(form, i), word);
        if (right != NULL) {
            status = fail(source, "bad data for type %s: '%s' is not %s; write %s",
                          source->type_word, word, right, zone_hint_rdata(source->type));
        }
    }
    free(copy);
    return status;
}

/* The type's name for ldns. It takes NSAP-PTR's data for a string. */
static const char *syntax_of(const char *type_word)
{
    return strcasecmp(type_word, "NSAP-PTR") == 0 ? "PTR" : type_word;
}

/* The record for ldns to read, or NULL when memory is out. ldns reads a CAA's value in quotes only,
 * but they may be left out (RFC 8659 4.1.1: <character-string>). */
static char *make_line(const struct source *source)
{
    char *line = NULL;
    char *value = source->text;
    for (unsigned words = 0; words < 2; words++) {
        value += strcspn(value, " ");
        value += *value == ' ';
    }
    bool lacks_quotes = source->type == TYPE_CAA && *value != '\0' && strpbrk(value, "\" ") == NULL;
    int written = lacks_quotes
                      ? asprintf(&line, ". 0 IN CAA %.*s\"%s\"", (int)(value - source->text),
                                 source->text, value)
                      : asprintf(&line, ". 0 IN %s %s", syntax_of(source->type_word), source->text);
    return written < 0 ? NULL : line;
}

static int read_fields(const struct source *source, ldns_buffer *octets)
{
    int checked = check_words(source);
    if (checked != 0) {
        return checked;
    }
    if (strlen(source->text) >= TEXT_MAX) {
        return fail(
            source,
            "bad data for type %s: more than %d characters; write them as \\# LENGTH and so "
            "many octets in hex digits, 65535 at most (RFC 3597)",
            source->type_word, TEXT_MAX - 1);
    }
    char *line = make_line(source);
    if (line == NULL) {
        return fail_memory(source);
    }
    ldns_rr *rr = NULL;
    ldns_status status = ldns_rr_new_frm_str(&rr, line, 0, source->origin, NULL);
    free(line);
    if (status == LDNS_STATUS_OK) {
        ldns_buffer_clear(octets);
        status = ldns_rr_rdata2buffer_wire(octets, rr);
        ldns_rr_free(rr);
    }
    if (status == LDNS_STATUS_MEM_ERR) {
        return fail_memory(source);
    }
    if (status != LDNS_STATUS_OK) {
        return fail(source, "bad data for type %s: %s; write %s", source->type_word,
                    ldns_get_errorstr_by_id(status), zone_hint_rdata(source->type));
    }
    return 0;
}

static int check_type(const struct source *source)
{
    if (source->type == 0) {
        return fail(source,
                    "unknown RR type '%s'; a record is: name [TTL] [IN] type data, and a type "
                    "without a name is TYPE and its number (RFC 3597)",
                    source->type_word);
    }
    if (source->type == LDNS_RR_TYPE_OPT || (source->type >= 128 && source->type <= 255)) {
        return fail(source, "type '%s': invalid use of a meta type; it stands in messages only",
                    source->type_word);
    }
    return 0;
}

int zone_rdata_read(const char *type_word, const char *text, const ldns_rdf *origin,
                    const struct zone_place *place, ldns_buffer *octets, struct diag *diag)
{
    struct source source = {.type_word = type_word,
                            .type = zone_rdata_type(type_word),
                            .text = strdup(text),
                            .origin = origin,
                            .place = place,
                            .diag = diag};
    int status = source.text == NULL ? fail_memory(&source) : check_type(&source);
    if (status == 0) {
        status = strncmp(source.text, "\\# ", 3) == 0
                     ? read_generic(&source, source.text + 3, octets)
                     : read_fields(&source, octets);
    }
    free(source.text);
    return status;
}
