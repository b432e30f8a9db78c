#include "dns/name.h"

#include <stdio.h>
#include <string.h>

static uint8_t lower(uint8_t c)
{
    return (uint8_t)(c + (((unsigned)c - 'A' < 26u) << 5));
}

size_t name_measure(const uint8_t *octets, size_t size)
{
    size_t at = 0;
    while (at < size && at < DNS_NAME_MAX_BYTES) {
        uint8_t label_length = octets[at];
        at += 1u + label_length;
        if (label_length == 0) {
            return at;
        }
        if (label_length > DNS_LABEL_MAX_BYTES) {
            return 0;
        }
    }
    return 0;
}

size_t name_length(const uint8_t *name)
{
    size_t at = 0;
    while (name[at] != 0) {
        at += 1u + name[at];
    }
    return at + 1;
}

unsigned name_label_count(const uint8_t *name)
{
    unsigned count = 0;
    for (; name[0] != 0; name = name_parent(name)) {
        count++;
    }
    return count;
}

bool name_equal(const uint8_t *a, const uint8_t *b)
{
    size_t length = name_length(a);
    if (length != name_length(b)) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if (lower(a[i]) != lower(b[i])) {
            return false;
        }
    }
    return true;
}

bool name_is_within(const uint8_t *name, const uint8_t *ancestor)
{
    unsigned labels = name_label_count(name);
    unsigned ancestor_labels = name_label_count(ancestor);
    for (; labels > ancestor_labels; labels--) {
        name = name_parent(name);
    }
    return labels == ancestor_labels && name_equal(name, ancestor);
}

void name_to_lower(uint8_t *out, const uint8_t *name, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        out[i] = lower(name[i]);
    }
}

/* One octet of a label in presentation format (RFC 1035 5.1); the number of characters. */
static size_t format_octet(char *text, uint8_t c)
{
    if (c <= ' ' || c >= 0x7f) {
        text[0] = '\\';
        text[1] = (char)('0' + c / 100);
        text[2] = (char)('0' + c / 10 % 10);
        text[3] = (char)('0' + c % 10);
        return 4;
    }
    if (strchr(".\\\"();@$", c) != NULL) {
        text[0] = '\\';
        text[1] = (char)c;
        return 2;
    }
    text[0] = (char)c;
    return 1;
}

void name_format(const uint8_t *name, char text[NAME_TEXT_SIZE])
{
    size_t at = 0;
    if (name[0] == 0) {
        text[at++] = '.';
    }
    for (; name[0] != 0; name = name_parent(name)) {
        if (at > 0) {
            text[at++] = '.';
        }
        for (unsigned i = 1; i <= name[0]; i++) {
            at += format_octet(text + at, name[i]);
        }
    }
    text[at] = '\0';
}

#define HASH_SEED     UINT64_C(0x9e3779b97f4a7c15)
#define HASH_MULTIPLY UINT64_C(0xff51afd7ed558ccd) /* the finaliser of MurmurHash3 */

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * HASH_MULTIPLY;
    return hash ^ hash >> 32;
}

/* Carries the hash of a suffix on to the suffix that is one label longer. */
static uint64_t hash_label(uint64_t hash, const uint8_t *label)
{
    size_t size = 1u + label[0];
    uint64_t word;
    for (; size >= sizeof(word); size -= sizeof(word), label += sizeof(word)) {
        memcpy(&word, label, sizeof(word));
        hash = mix(hash, word);
    }
    word = 0;
    for (size_t i = 0; i < size; i++) {
        word = word << 8 | label[i];
    }
    return mix(hash, word);
}

void name_index_make(struct name_index *index, const uint8_t *name, size_t length)
{
    name_to_lower(index->lower, name, length);
    index->length = (unsigned)length;
    unsigned count = 0;
    unsigned at = 0;
    for (; index->lower[at] != 0; at += 1u + index->lower[at]) {
        index->offset[count++] = (uint8_t)at;
    }
    index->offset[count] = (uint8_t)at;
    index->label_count = count;
    uint64_t hash = HASH_SEED;
    index->hash[count] = (uint32_t)hash;
    while (count > 0) {
        count--;
        hash = hash_label(hash, index->lower + index->offset[count]);
        index->hash[count] = (uint32_t)hash;
    }
}
