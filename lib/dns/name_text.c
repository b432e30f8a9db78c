#include "dns/name_text.h"

#include <stdbool.h>

#include "core/attributes.h"

/* The wire image as it grows. The length octet of the label being written is at `label_at`. */
struct name_builder {
    uint8_t *wire;
    size_t size;
    size_t label_at;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads the escape behind a backslash; `at` passes it. */
static enum name_text_error read_escape(const char *text, size_t length, size_t *at, uint8_t *octet)
{
    if (*at == length) {
        return NAME_TEXT_ESCAPE_END;
    }
    if (!is_digit(text[*at])) {
        *octet = (uint8_t)text[(*at)++];
        return NAME_TEXT_OK;
    }
    unsigned value = 0;
    for (size_t end = *at + 3; *at < end; (*at)++) {
        if (*at == length || !is_digit(text[*at])) {
            return NAME_TEXT_ESCAPE_DIGITS;
        }
        value = value * 10 + (unsigned)(text[*at] - '0');
    }
    *octet = (uint8_t)value;
    return value > UINT8_MAX ? NAME_TEXT_ESCAPE_VALUE : NAME_TEXT_OK;
}

/* One octet more in the present label; one place stays free for the root label. */
static enum name_text_error add_octet(struct name_builder *name, uint8_t octet)
{
    if (name->size - name->label_at > DNS_LABEL_MAX_BYTES) {
        return NAME_TEXT_LABEL_LENGTH;
    }
    if (name->size + 1 >= DNS_NAME_MAX_BYTES) {
        return NAME_TEXT_NAME_LENGTH;
    }
    name->wire[name->size++] = octet;
    return NAME_TEXT_OK;
}

/* Fills in the present label's length. */
static enum name_text_error end_label(struct name_builder *name)
{
    size_t octets = name->size - name->label_at - 1;
    if (octets == 0) {
        return NAME_TEXT_EMPTY_LABEL;
    }
    name->wire[name->label_at] = (uint8_t)octets;
    return NAME_TEXT_OK;
}

/* A dot: the present label ends; another begins unless the text does. */
static enum name_text_error next_label(struct name_builder *name, bool last)
{
    enum name_text_error error = end_label(name);
    if (error != NAME_TEXT_OK || last) {
        return error;
    }
    if (name->size + 1 >= DNS_NAME_MAX_BYTES) {
        return NAME_TEXT_NAME_LENGTH;
    }
    name->label_at = name->size++;
    return NAME_TEXT_OK;
}

static enum name_text_error read_labels(struct name_builder *name, const char *text, size_t length)
{
    enum name_text_error error = NAME_TEXT_OK;
    for (size_t at = 0; at < length && error == NAME_TEXT_OK;) {
        uint8_t octet = (uint8_t)text[at++];
        if (octet == '.') {
            error = next_label(name, at == length);
            continue;
        }
        if (octet < 0x20 || octet == 0x7f) {
            return NAME_TEXT_CONTROL;
        }
        if (octet == '\\') {
            error = read_escape(text, length, &at, &octet);
        }
        if (error == NAME_TEXT_OK) {
            error = add_octet(name, octet);
        }
        if (error == NAME_TEXT_OK && at == length) {
            error = end_label(name);
        }
    }
    return error;
}

enum name_text_error name_text_to_wire(const char *text, size_t length,
                                       uint8_t wire[DNS_NAME_MAX_BYTES], size_t *size)
{
    struct name_builder name = {.wire = wire, .size = 1};
    if (length == 0) {
        return NAME_TEXT_EMPTY;
    }
    if (length == 1 && text[0] == '.') {
        name.size = 0;
    } else {
        enum name_text_error error = read_labels(&name, text, length);
        if (error != NAME_TEXT_OK) {
            return error;
        }
    }
    wire[name.size++] = 0;
    *size = name.size;
    return NAME_TEXT_OK;
}

const char *name_text_problem(enum name_text_error error)
{
    static const char *const problems[] = {
        [NAME_TEXT_OK] = "nothing is wrong",
        [NAME_TEXT_EMPTY] = "the name is empty; the root is written \".\"",
        [NAME_TEXT_EMPTY_LABEL] = "the name has an empty label; 1 to 63 octets are right",
        [NAME_TEXT_LABEL_LENGTH] = "a label is longer than 63 octets",
        [NAME_TEXT_NAME_LENGTH] = "the name is longer than 255 octets on the wire",
        [NAME_TEXT_ESCAPE_DIGITS] = "an escape \\DDD wants three decimal digits",
        [NAME_TEXT_ESCAPE_VALUE] = "an escape \\DDD is at most \\255",
        [NAME_TEXT_ESCAPE_END] = "the name ends in a backslash; \\X or \\DDD is right",
        [NAME_TEXT_CONTROL] = "the name has a control character; \\DDD is right",
    };
    if ((size_t)error >= ARRAY_LENGTH(problems)) {
        return "unknown problem";
    }
    return problems[error];
}
