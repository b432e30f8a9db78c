#include "dns/zone_rdata.h"

#include <string.h>

#include "dns/name.h"
#include "dns/wire.h"

enum { TYPE_MD = 3, TYPE_MF = 4, TYPE_MB = 7, TYPE_MG = 8, TYPE_MR = 9, TYPE_MINFO = 14 };
enum { TYPE_RP = 17, TYPE_AFSDB = 18, TYPE_RT = 21, TYPE_NSAP_PTR = 23, TYPE_PX = 26 };
enum { TYPE_KX = 36, TYPE_NSEC = 47, TYPE_LOC = 29, TYPE_SSHFP = 44, TYPE_CDS = 59 };
enum { TYPE_SVCB = 64, TYPE_HTTPS = 65, TYPE_DLV = 32769 };

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

/* Whether a digest behind `prefix_bytes` has its kind's length; kinds without a known length are
 * 0. */
static bool has_digest(size_t size, size_t prefix_bytes, size_t digest_bytes)
{
    return digest_bytes == 0 ? size >= prefix_bytes : size == prefix_bytes + digest_bytes;
}

/* SHA-1, SHA-256, GOST R 34.11-94 and SHA-384 (RFC 4034, 4509, 5933, 6605). */
static bool is_ds_valid(const uint8_t *rdata, size_t size)
{
    static const uint8_t digest_bytes[] = {0, 20, 32, 32, 48};
    return size >= 4 &&
           has_digest(size, 4, rdata[3] < sizeof(digest_bytes) ? digest_bytes[rdata[3]] : 0);
}

/* SHA-1 and SHA-256 (RFC 4255, 6594). */
static bool is_sshfp_valid(const uint8_t *rdata, size_t size)
{
    static const uint8_t digest_bytes[] = {0, 20, 32};
    return size >= 2 &&
           has_digest(size, 2, rdata[1] < sizeof(digest_bytes) ? digest_bytes[rdata[1]] : 0);
}

/* An angle in thousandths of an arc second, the equator and the prime meridian at 2^31. */
static bool is_angle(const uint8_t *octets, uint32_t degrees_max)
{
    uint32_t angle = (uint32_t)wire_get_u16(octets) << 16 | wire_get_u16(octets + 2);
    uint32_t zero = UINT32_C(1) << 31;
    uint32_t distance = angle > zero ? angle - zero : zero - angle;
    return distance <= degrees_max * 3600 * 1000;
}

/* RFC 1876 2: only version 0 is known. */
static bool is_loc_valid(const uint8_t *rdata, size_t size)
{
    if (size > 0 && rdata[0] != 0) {
        return true;
    }
    return size == 16 && is_angle(rdata + 4, 90) && is_angle(rdata + 8, 180);
}

/* Priority, target, and parameters by strictly rising keys (RFC 9460 2.2). */
static bool is_svcb_valid(const uint8_t *rdata, size_t size)
{
    size_t target_bytes = size <= 2 ? 0 : name_measure(rdata + 2, size - 2);
    struct wire_reader reader = wire_reader_make(rdata, size);
    int previous = -1;
    wire_read(&reader, 2 + target_bytes);
    while (reader.at < size && !reader.failed) {
        int key = wire_read_u16(&reader);
        wire_read(&reader, wire_read_u16(&reader));
        if (key <= previous) {
            return false;
        }
        previous = key;
    }
    return target_bytes > 0 && !reader.failed;
}

bool zone_rdata_is_valid(uint16_t type, const uint8_t *rdata, size_t size)
{
    switch (type) {
    case DNS_TYPE_A:
        return size == 4;
    case DNS_TYPE_AAAA:
        return size == 16;
    case DNS_TYPE_DS:
    case TYPE_CDS:
    case TYPE_DLV:
        return is_ds_valid(rdata, size);
    case TYPE_SSHFP:
        return is_sshfp_valid(rdata, size);
    case TYPE_LOC:
        return is_loc_valid(rdata, size);
    case TYPE_SVCB:
    case TYPE_HTTPS:
        return is_svcb_valid(rdata, size);
    default:
        break;
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
