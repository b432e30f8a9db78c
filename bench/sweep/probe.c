#include "sweep/probe.h"

#include <string.h>

#include "core/error.h"
#include "dns/name_text.h"
#include "dns/wire.h"

int probe_make(const char *origin, uint16_t id, struct probe *probe, struct diag *diag)
{
    uint8_t name[DNS_NAME_MAX_BYTES];
    size_t name_size = 0;
    enum name_text_error wrong = name_text_to_wire(origin, strlen(origin), name, &name_size);
    if (wrong != NAME_TEXT_OK) {
        return diag_fail(diag, ERR_SYNTAX, NULL, 0, "zone name \"%s\": %s", origin,
                         name_text_problem(wrong));
    }
    struct wire_writer writer = wire_writer_make(probe->query, sizeof(probe->query));
    wire_write_u16(&writer, id);
    wire_write_u16(&writer, 0);
    wire_write_u16(&writer, 1); /* one question, nothing else */
    wire_write_u16(&writer, 0);
    wire_write_u16(&writer, 0);
    wire_write_u16(&writer, 0);
    wire_write(&writer, name, name_size);
    wire_write_u16(&writer, DNS_TYPE_SOA);
    wire_write_u16(&writer, DNS_CLASS_IN);
    probe->size = writer.at;
    return 0;
}

enum probe_verdict probe_judge(const struct probe *probe, const void *reply, size_t size)
{
    struct wire_reader reader = wire_reader_make(reply, size);
    uint16_t id = wire_read_u16(&reader);
    uint16_t flags = wire_read_u16(&reader);
    uint16_t questions = wire_read_u16(&reader);
    uint16_t answers = wire_read_u16(&reader);
    wire_read_u32(&reader);
    size_t question_size = probe->size - DNS_HEADER_BYTES;
    const uint8_t *question = wire_read(&reader, question_size);
    if (reader.failed || id != wire_get_u16(probe->query) || !(flags & DNS_FLAG_QR) ||
        questions != 1 || memcmp(question, probe->query + DNS_HEADER_BYTES, question_size) != 0) {
        return PROBE_NOISE;
    }
    unsigned rcode = flags & DNS_RCODE_MASK;
    if (rcode == DNS_RCODE_SERVFAIL) {
        return PROBE_LOADING;
    }
    bool right = (flags & DNS_FLAG_AA) && rcode == DNS_RCODE_NOERROR && answers > 0;
    return right ? PROBE_RIGHT : PROBE_FOREIGN;
}
