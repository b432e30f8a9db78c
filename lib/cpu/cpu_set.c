#include "cpu/cpu_set.h"

#include <stdio.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"

void cpu_set_add(struct cpu_set *set, int cpu)
{
    CHECK(cpu >= 0 && cpu < CPU_SET_LIMIT);
    set->words[cpu / 64] |= UINT64_C(1) << (cpu % 64);
}

void cpu_set_remove(struct cpu_set *set, int cpu)
{
    CHECK(cpu >= 0 && cpu < CPU_SET_LIMIT);
    set->words[cpu / 64] &= ~(UINT64_C(1) << (cpu % 64));
}

bool cpu_set_has(const struct cpu_set *set, int cpu)
{
    CHECK(cpu >= 0 && cpu < CPU_SET_LIMIT);
    return (set->words[cpu / 64] >> (cpu % 64) & 1) != 0;
}

size_t cpu_set_count(const struct cpu_set *set)
{
    size_t count = 0;
    for (size_t i = 0; i < CPU_SET_WORDS; i++) {
        count += (size_t)__builtin_popcountll(set->words[i]);
    }
    return count;
}

bool cpu_set_is_empty(const struct cpu_set *set)
{
    return cpu_set_next(set, -1) < 0;
}

bool cpu_set_equal(const struct cpu_set *a, const struct cpu_set *b)
{
    return memcmp(a->words, b->words, sizeof(a->words)) == 0;
}

bool cpu_set_within(const struct cpu_set *inner, const struct cpu_set *outer)
{
    for (size_t i = 0; i < CPU_SET_WORDS; i++) {
        if ((inner->words[i] & ~outer->words[i]) != 0) {
            return false;
        }
    }
    return true;
}

bool cpu_set_overlap(const struct cpu_set *a, const struct cpu_set *b)
{
    for (size_t i = 0; i < CPU_SET_WORDS; i++) {
        if ((a->words[i] & b->words[i]) != 0) {
            return true;
        }
    }
    return false;
}

void cpu_set_unite(struct cpu_set *set, const struct cpu_set *other)
{
    for (size_t i = 0; i < CPU_SET_WORDS; i++) {
        set->words[i] |= other->words[i];
    }
}

void cpu_set_intersect(struct cpu_set *set, const struct cpu_set *other)
{
    for (size_t i = 0; i < CPU_SET_WORDS; i++) {
        set->words[i] &= other->words[i];
    }
}

void cpu_set_subtract(struct cpu_set *set, const struct cpu_set *other)
{
    for (size_t i = 0; i < CPU_SET_WORDS; i++) {
        set->words[i] &= ~other->words[i];
    }
}

int cpu_set_next(const struct cpu_set *set, int after)
{
    CHECK(after >= -1 && after < CPU_SET_LIMIT);
    size_t start = (size_t)after + 1; /* 0 for -1 */
    for (size_t i = start / 64; i < CPU_SET_WORDS; i++) {
        uint64_t word = set->words[i];
        if (i == start / 64) {
            word &= ~UINT64_C(0) << (start % 64);
        }
        if (word != 0) {
            return (int)i * 64 + __builtin_ctzll(word);
        }
    }
    return -1;
}

/* Reads digits at *at and moves behind them. 0, ERR_SYNTAX without a digit, or ERR_RANGE. */
static int parse_number(const char **at, int *cpu)
{
    if (**at < '0' || **at > '9') {
        return ERR_SYNTAX;
    }
    int value = 0;
    for (; **at >= '0' && **at <= '9'; (*at)++) {
        value = value * 10 + (**at - '0');
        if (value >= CPU_SET_LIMIT) {
            return ERR_RANGE;
        }
    }
    *cpu = value;
    return 0;
}

/* Reads "N" or "N-M". ERR_SYNTAX when the text is neither, ERR_RANGE for too large a number. */
static int parse_range(const char **at, int *first, int *last)
{
    int status = parse_number(at, first);
    *last = *first;
    if (status == 0 && **at == '-') {
        (*at)++;
        status = parse_number(at, last);
    }
    return status;
}

static int fail(const char *text, const char *at, int status, struct diag *diag)
{
    if (status == ERR_RANGE) {
        return diag_fail(diag, status, NULL, 0, "CPU list \"%.200s\": CPU numbers are from 0 to %d",
                         text, CPU_SET_LIMIT - 1);
    }
    if (*text == '\0') {
        return diag_fail(diag, status, NULL, 0, "an empty CPU list; write one like 0-3,8");
    }
    if (*at == '\0') {
        return diag_fail(
            diag, status, NULL, 0,
            "CPU list \"%.200s\": a number is missing at the end; write one like 0-3,8", text);
    }
    return diag_fail(diag, status, NULL, 0,
                     "CPU list \"%.200s\": '%c' at character %zu where a number should be; "
                     "write a list like 0-3,8",
                     text, *at, (size_t)(at - text) + 1);
}

int cpu_set_parse(const char *text, struct cpu_set *set, struct diag *diag)
{
    struct cpu_set result = {0};
    const char *at = text;
    for (;;) {
        int first = 0;
        int last = 0;
        int status = parse_range(&at, &first, &last);
        if (status != 0) {
            return fail(text, at, status, diag);
        }
        if (last < first) {
            return diag_fail(diag, ERR_SYNTAX, NULL, 0,
                             "CPU list \"%.200s\": the range %d-%d runs backwards; write %d-%d",
                             text, first, last, last, first);
        }
        for (int cpu = first; cpu <= last; cpu++) {
            cpu_set_add(&result, cpu);
        }
        if (*at == '\0') {
            *set = result;
            return 0;
        }
        if (*at != ',') {
            return diag_fail(diag, ERR_SYNTAX, NULL, 0,
                             "CPU list \"%.200s\": '%c' at character %zu where a comma or the end "
                             "should be; write a list like 0-3,8",
                             text, *at, (size_t)(at - text) + 1);
        }
        at++;
    }
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* From the end, where the lowest CPUs are. */
int cpu_set_parse_mask(const char *text, struct cpu_set *set)
{
    struct cpu_set result = {0};
    size_t length = strcspn(text, " \t\n");
    int cpu = 0;
    if (length == 0 || text[length + strspn(text + length, " \t\n")] != '\0') {
        return ERR_SYNTAX;
    }
    for (const char *at = text + length; at > text; at--) {
        int digit = hex_digit(at[-1]);
        if (digit < 0 && at[-1] != ',') {
            return ERR_SYNTAX;
        }
        for (int bit = 0; digit >= 0 && bit < 4; bit++, cpu++) {
            if ((digit >> bit & 1) == 0) {
                continue;
            }
            if (cpu >= CPU_SET_LIMIT) {
                return ERR_RANGE;
            }
            cpu_set_add(&result, cpu);
        }
    }
    *set = result;
    return 0;
}

/* The last CPU of the run of neighbours that begins at `first`. */
static int run_end(const struct cpu_set *set, int first)
{
    int last = first;
    while (last + 1 < CPU_SET_LIMIT && cpu_set_has(set, last + 1)) {
        last++;
    }
    return last;
}

size_t cpu_set_format(const struct cpu_set *set, char *text, size_t size)
{
    size_t length = 0;
    if (size > 0) {
        text[0] = '\0';
    }
    for (int first = cpu_set_next(set, -1); first >= 0;) {
        int last = run_end(set, first);
        char part[16];
        int part_length =
            last > first
                ? snprintf(part, sizeof(part), "%s%d-%d", length > 0 ? "," : "", first, last)
                : snprintf(part, sizeof(part), "%s%d", length > 0 ? "," : "", first);
        if (length < size) {
            snprintf(text + length, size - length, "%s", part);
        }
        length += (size_t)part_length;
        first = cpu_set_next(set, last);
    }
    return length;
}
