#include "dns/zone_rdata.h"

#include <string.h>

#include "dns/name.h"

enum { TYPE_MD = 3, TYPE_MF = 4, TYPE_MB = 7, TYPE_MG = 8, TYPE_MR = 9, TYPE_MINFO = 14 };
enum { TYPE_RP = 17, TYPE_AFSDB = 18, TYPE_RT = 21, TYPE_NSAP_PTR = 23, TYPE_PX = 26 };
enum { TYPE_KX = 36, TYPE_NSEC = 47 };

const struct zone_rdata_layout *zone_rdata_layout(uint16_t type)
{
    static const struct zone_rdata_layout layouts[] = {
        {DNS_TYPE_NS, 0, 1, 0, true},     {TYPE_MD, 0, 1, 0, true},
        {TYPE_MF, 0, 1, 0, true},         {DNS_TYPE_CNAME, 0, 1, 0, true},
        {DNS_TYPE_SOA, 0, 2, 20, true},   {TYPE_MB, 0, 1, 0, true},
        {TYPE_MG, 0, 1, 0, true},         {TYPE_MR, 0, 1, 0, true},
        {DNS_TYPE_PTR, 0, 1, 0, true},    {TYPE_MINFO, 0, 2, 0, true},
        {DNS_TYPE_MX, 2, 1, 0, true},     {TYPE_RP, 0, 2, 0, false},
        {TYPE_AFSDB, 2, 1, 0, false},     {TYPE_RT, 2, 1, 0, false},
        {TYPE_NSAP_PTR, 0, 1, 0, false},  {TYPE_PX, 2, 2, 0, false},
        {DNS_TYPE_SRV, 6, 1, 0, false},   {TYPE_KX, 2, 1, 0, false},
        {DNS_TYPE_DNAME, 0, 1, 0, false}, {DNS_TYPE_RRSIG, 18, 1, 0, false},
        {TYPE_NSEC, 0, 1, 0, false},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(layouts); i++) {
        if (layouts[i].type == type) {
            return &layouts[i];
        }
    }
    return NULL;
}

/* The offset behind the names, or 0 when one of them is not there. */
static size_t names_end(const struct zone_rdata_layout *layout, const uint8_t *rdata, size_t size)
{
    size_t at = layout->prefix_bytes;
    for (unsigned i = 0; i < layout->name_count; i++) {
        size_t length = at < size ? name_measure(rdata + at, size - at) : 0;
        if (length == 0) {
            return 0;
        }
        at += length;
    }
    return at;
}

bool zone_rdata_is_valid(uint16_t type, const uint8_t *rdata, size_t size)
{
    if (type == DNS_TYPE_A || type == DNS_TYPE_AAAA) {
        return size == (type == DNS_TYPE_A ? 4 : 16);
    }
    const struct zone_rdata_layout *layout = zone_rdata_layout(type);
    if (layout == NULL) {
        return true;
    }
    size_t end = names_end(layout, rdata, size);
    if (end == 0) {
        return false;
    }
    return !layout->compressible || size - end == layout->suffix_bytes;
}

static int compare_octets(const uint8_t *a, const uint8_t *b, size_t size, size_t fold_from,
                          size_t fold_to)
{
    for (size_t i = 0; i < size; i++) {
        uint8_t x = a[i];
        uint8_t y = b[i];
        if (i >= fold_from && i < fold_to) {
            name_to_lower(&x, &x, 1);
            name_to_lower(&y, &y, 1);
        }
        if (x != y) {
            return x < y ? -1 : 1;
        }
    }
    return 0;
}

int zone_rdata_compare(uint16_t type, const uint8_t *a, size_t a_size, const uint8_t *b,
                       size_t b_size)
{
    const struct zone_rdata_layout *layout = zone_rdata_layout(type);
    size_t common = a_size < b_size ? a_size : b_size;
    size_t fold_from = layout == NULL ? 0 : layout->prefix_bytes;
    size_t fold_to = layout == NULL ? 0 : names_end(layout, a, a_size);
    int order = compare_octets(a, b, common, fold_from, fold_to);
    if (order != 0 || a_size == b_size) {
        return order;
    }
    return a_size < b_size ? -1 : 1;
}
