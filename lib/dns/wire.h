/*
 * Bounds-checked cursors over a message in wire format. An access past the end sets `failed`,
 * yields zero or writes nothing, and stays failed; so a parser reads what it wants and asks once
 * at the end. Pure; any thread.
 */
#ifndef DNS_WIRE_H
#define DNS_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct wire_reader {
    const uint8_t *base;
    size_t size;
    size_t at;
    bool failed;
};

struct wire_writer {
    uint8_t *base;
    size_t size; /* room */
    size_t at;   /* octets written */
    bool failed;
};

static inline uint16_t wire_get_u16(const uint8_t *octets)
{
    return (uint16_t)(octets[0] << 8 | octets[1]);
}

static inline void wire_put_u16(uint8_t *octets, uint16_t value)
{
    octets[0] = (uint8_t)(value >> 8);
    octets[1] = (uint8_t)value;
}

static inline struct wire_reader wire_reader_make(const void *base, size_t size)
{
    return (struct wire_reader){.base = base, .size = size};
}

/* The next `count` octets, which the cursor passes, or NULL. */
static inline const uint8_t *wire_read(struct wire_reader *reader, size_t count)
{
    if (reader->failed || count > reader->size - reader->at) {
        reader->failed = true;
        return NULL;
    }
    const uint8_t *octets = reader->base + reader->at;
    reader->at += count;
    return octets;
}

static inline uint8_t wire_read_u8(struct wire_reader *reader)
{
    const uint8_t *octets = wire_read(reader, 1);
    return octets == NULL ? 0 : octets[0];
}

static inline uint16_t wire_read_u16(struct wire_reader *reader)
{
    const uint8_t *octets = wire_read(reader, 2);
    return octets == NULL ? 0 : wire_get_u16(octets);
}

static inline uint32_t wire_read_u32(struct wire_reader *reader)
{
    const uint8_t *octets = wire_read(reader, 4);
    return octets == NULL ? 0 : (uint32_t)wire_get_u16(octets) << 16 | wire_get_u16(octets + 2);
}

static inline struct wire_writer wire_writer_make(void *base, size_t size)
{
    return (struct wire_writer){.base = base, .size = size};
}

/* Room for `count` octets, which the cursor passes, or NULL. */
static inline uint8_t *wire_reserve(struct wire_writer *writer, size_t count)
{
    if (writer->failed || count > writer->size - writer->at) {
        writer->failed = true;
        return NULL;
    }
    uint8_t *octets = writer->base + writer->at;
    writer->at += count;
    return octets;
}

static inline void wire_write(struct wire_writer *writer, const void *octets, size_t count)
{
    uint8_t *room = wire_reserve(writer, count);
    if (room != NULL && count > 0) {
        memcpy(room, octets, count);
    }
}

static inline void wire_write_u8(struct wire_writer *writer, uint8_t value)
{
    wire_write(writer, &value, 1);
}

static inline void wire_write_u16(struct wire_writer *writer, uint16_t value)
{
    uint8_t *room = wire_reserve(writer, 2);
    if (room != NULL) {
        wire_put_u16(room, value);
    }
}

static inline void wire_write_u32(struct wire_writer *writer, uint32_t value)
{
    wire_write_u16(writer, (uint16_t)(value >> 16));
    wire_write_u16(writer, (uint16_t)value);
}

#endif
