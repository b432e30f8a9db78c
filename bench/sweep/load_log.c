#include "sweep/load_log.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/number.h"

/* Enough of the log's end for a few interval lines of many threads. */
#define END_SIZE 2048

#define RATE_MAX 1e12

/* "[SUM]    1.00-2.00    sec     123456 queries    123456.00 qps (omitted)" */
static bool parse_line(const char *line, size_t length, double *rate)
{
    char text[256];
    if (length >= sizeof(text) || length == 0 || line[0] != '[') {
        return false;
    }
    memcpy(text, line, length);
    text[length] = '\0';
    char *unit = strstr(text, " qps");
    char *number = strstr(text, " queries ");
    if (unit == NULL || number == NULL || number > unit) {
        return false;
    }
    *unit = '\0';
    number += strlen(" queries ");
    number += strspn(number, " ");
    return number_parse_decimal(number, 0, RATE_MAX, rate) == 0;
}

double load_log_parse_rate(const char *text, size_t size)
{
    double rate = -1;
    for (size_t at = 0; at < size;) {
        const char *newline = memchr(text + at, '\n', size - at);
        if (newline == NULL) {
            break;
        }
        size_t length = (size_t)(newline - text) - at;
        double found = 0;
        if (parse_line(text + at, length, &found)) {
            rate = found;
        }
        at += length + 1;
    }
    return rate;
}

double load_log_rate(const char *path)
{
    char text[END_SIZE];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return -1;
    }
    off_t end = lseek(fd, 0, SEEK_END);
    off_t from = end > END_SIZE ? end - END_SIZE : 0;
    ssize_t size = pread(fd, text, sizeof(text), from);
    close(fd);
    return size > 0 ? load_log_parse_rate(text, (size_t)size) : -1;
}
