/*
 * Sets of CPU numbers, and their text form "0-3,8" as the kernel, taskset and hwloc write it.
 * A plain value: copy it by assignment; a zeroed one is the empty set. No function here does I/O,
 * allocates, or keeps state; all may be called from any thread.
 */
#ifndef CPU_CPU_SET_H
#define CPU_CPU_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/attributes.h"
#include "core/diag.h"

/* CPU numbers are below this: NR_CPUS of the largest Linux build. */
#define CPU_SET_LIMIT 8192
#define CPU_SET_WORDS (CPU_SET_LIMIT / 64)

/* Bytes that the longest text form and its NUL need: every second CPU, each "NNNN,". */
#define CPU_SET_TEXT_SIZE (CPU_SET_LIMIT / 2 * 5 + 1)

struct cpu_set {
    uint64_t words[CPU_SET_WORDS];
};

/* `cpu` must be in [0, CPU_SET_LIMIT). */
void cpu_set_add(struct cpu_set *set, int cpu);
void cpu_set_remove(struct cpu_set *set, int cpu);
bool cpu_set_has(const struct cpu_set *set, int cpu);

size_t cpu_set_count(const struct cpu_set *set);
bool cpu_set_is_empty(const struct cpu_set *set);
bool cpu_set_equal(const struct cpu_set *a, const struct cpu_set *b);
/* Whether every CPU of `inner` is in `outer`. */
bool cpu_set_within(const struct cpu_set *inner, const struct cpu_set *outer);
bool cpu_set_overlap(const struct cpu_set *a, const struct cpu_set *b);

/* `set` becomes its union, intersection or difference with `other`. */
void cpu_set_unite(struct cpu_set *set, const struct cpu_set *other);
void cpu_set_intersect(struct cpu_set *set, const struct cpu_set *other);
void cpu_set_subtract(struct cpu_set *set, const struct cpu_set *other);

/*
 * The lowest CPU above `after`, or -1 when there is none; start with -1:
 *     for (int cpu = cpu_set_next(set, -1); cpu >= 0; cpu = cpu_set_next(set, cpu))
 */
int cpu_set_next(const struct cpu_set *set, int after);

/*
 * Reads "0-3,8": numbers and ascending ranges, separated by single commas, in any order, without
 * spaces. 0 and `set` is written; else ERR_SYNTAX (also for an empty text) or ERR_RANGE (a number
 * from CPU_SET_LIMIT on) with a diag that quotes the text.
 */
int cpu_set_parse(const char *text, struct cpu_set *set, struct diag *diag) MUST_CHECK;

/*
 * Reads a mask as the kernel writes it, "0000000f,00000101\n": hexadecimal words of 32 bits, the
 * highest first. White space at the end is accepted. 0 and `set` is written; ERR_SYNTAX, or
 * ERR_RANGE when a bit from CPU_SET_LIMIT on is set.
 */
int cpu_set_parse_mask(const char *text, struct cpu_set *set) MUST_CHECK;

/*
 * Writes the shortest list, "" for the empty set, as snprintf(3): at most `size` bytes with the
 * NUL; returns the length of the whole text.
 */
size_t cpu_set_format(const struct cpu_set *set, char *text, size_t size);

#endif
