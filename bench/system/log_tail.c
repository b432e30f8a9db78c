#include "system/log_tail.h"

#include <stdio.h>
#include <string.h>

#include "core/file.h"

size_t log_tail_offset(const char *text, size_t size, size_t lines)
{
    size_t at = size;
    if (at > 0 && text[at - 1] == '\n') {
        at--;
    }
    for (; at > 0 && lines > 0; at--) {
        lines -= text[at - 1] == '\n';
        if (lines == 0) {
            return at;
        }
    }
    return lines > 0 ? 0 : size;
}

static void print_line(const char *line, size_t length, const char *prefix)
{
    fprintf(stderr, "%s: ", prefix);
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)line[i];
        putc(byte < 0x20 || byte == 0x7f ? '?' : byte, stderr);
    }
    putc('\n', stderr);
}

void log_tail_last_line(const char *path, char *line, size_t size)
{
    struct bytes log;
    struct diag ignored = {0};
    line[0] = '\0';
    if (file_read_all(path, &log, &ignored) != 0) {
        return;
    }
    const char *last = log.data + log_tail_offset(log.data, log.size, 1);
    snprintf(line, size, "%.*s", (int)strcspn(last, "\n"), last);
    bytes_free(&log);
}

void log_tail_print(const char *path, size_t lines, const char *prefix)
{
    struct bytes log;
    struct diag ignored = {0};
    if (file_read_all(path, &log, &ignored) != 0 || log.size == 0) {
        fprintf(stderr, "%s: (no output)\n", prefix);
        return;
    }
    size_t at = log_tail_offset(log.data, log.size, lines);
    while (at < log.size) {
        const char *line = log.data + at;
        const char *end = memchr(line, '\n', log.size - at);
        size_t length = end != NULL ? (size_t)(end - line) : log.size - at;
        print_line(line, length, prefix);
        at += length + 1;
    }
    bytes_free(&log);
}
