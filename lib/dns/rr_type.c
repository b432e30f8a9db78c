#include "dns/rr_type.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/error.h"
#include "core/number.h"

struct rr_type_name {
    const char *name;
    uint16_t type;
};

/* Sorted by name for bsearch(); UNSPEC is BIND's. */
static const struct rr_type_name names[] = {
    {"A", 1},         {"A6", 38},         {"AAAA", 28},       {"AFSDB", 18},   {"AMTRELAY", 260},
    {"ANY", 255},     {"APL", 42},        {"ATMA", 34},       {"AVC", 258},    {"AXFR", 252},
    {"CAA", 257},     {"CDNSKEY", 60},    {"CDS", 59},        {"CERT", 37},    {"CNAME", 5},
    {"CSYNC", 62},    {"DHCID", 49},      {"DLV", 32769},     {"DNAME", 39},   {"DNSKEY", 48},
    {"DOA", 259},     {"DS", 43},         {"EID", 31},        {"EUI48", 108},  {"EUI64", 109},
    {"GID", 102},     {"GPOS", 27},       {"HINFO", 13},      {"HIP", 55},     {"HTTPS", 65},
    {"IPSECKEY", 45}, {"ISDN", 20},       {"IXFR", 251},      {"KEY", 25},     {"KX", 36},
    {"L32", 105},     {"L64", 106},       {"LOC", 29},        {"LP", 107},     {"MAILA", 254},
    {"MAILB", 253},   {"MB", 7},          {"MD", 3},          {"MF", 4},       {"MG", 8},
    {"MINFO", 14},    {"MR", 9},          {"MX", 15},         {"NAPTR", 35},   {"NID", 104},
    {"NIMLOC", 32},   {"NINFO", 56},      {"NS", 2},          {"NSAP", 22},    {"NSAP-PTR", 23},
    {"NSEC", 47},     {"NSEC3", 50},      {"NSEC3PARAM", 51}, {"NULL", 10},    {"NXNAME", 128},
    {"NXT", 30},      {"OPENPGPKEY", 61}, {"OPT", 41},        {"PTR", 12},     {"PX", 26},
    {"RESINFO", 261}, {"RKEY", 57},       {"RP", 17},         {"RRSIG", 46},   {"RT", 21},
    {"SIG", 24},      {"SINK", 40},       {"SMIMEA", 53},     {"SOA", 6},      {"SPF", 99},
    {"SRV", 33},      {"SSHFP", 44},      {"SVCB", 64},       {"TA", 32768},   {"TALINK", 58},
    {"TKEY", 249},    {"TLSA", 52},       {"TSIG", 250},      {"TXT", 16},     {"UID", 101},
    {"UINFO", 100},   {"UNSPEC", 103},    {"URI", 256},       {"WALLET", 262}, {"WKS", 11},
    {"X25", 19},      {"ZONEMD", 63},
};

#define GENERIC_PREFIX "TYPE"

static int compare_names(const void *left, const void *right)
{
    const struct rr_type_name *const a = left;
    const struct rr_type_name *const b = right;
    return strcasecmp(a->name, b->name);
}

/* TYPEn: `digits` is what stands behind TYPE. */
static int parse_generic(const char *digits, uint16_t *type)
{
    uint64_t number;
    int status = number_parse_u64(digits, 0, UINT16_MAX, &number);
    if (status == 0) {
        *type = (uint16_t)number;
    }
    return status == ERR_SYNTAX ? ERR_NOT_FOUND : status;
}

int rr_type_parse(const char *text, size_t length, uint16_t *type)
{
    char word[sizeof(GENERIC_PREFIX) + 20];
    if (length >= sizeof(word) || memchr(text, '\0', length) != NULL) {
        return ERR_NOT_FOUND;
    }
    memcpy(word, text, length);
    word[length] = '\0';
    struct rr_type_name wanted = {.name = word};
    const struct rr_type_name *found =
        bsearch(&wanted, names, ARRAY_LENGTH(names), sizeof(names[0]), compare_names);
    if (found != NULL) {
        *type = found->type;
        return 0;
    }
    size_t prefix = sizeof(GENERIC_PREFIX) - 1;
    return strncasecmp(word, GENERIC_PREFIX, prefix) == 0 ? parse_generic(word + prefix, type)
                                                          : ERR_NOT_FOUND;
}
