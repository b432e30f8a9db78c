/* "Did you mean": the nearest of some known words. Pure, any thread. */
#ifndef CORE_NEAREST_H
#define CORE_NEAREST_H

#include <stddef.h>

/* Insertions, deletions, substitutions and swaps of neighbours between two words (optimal string
 * alignment), letters compared without case. Words over 63 bytes count as unlike: SIZE_MAX. */
size_t word_distance(const char *a, const char *b);

/*
 * The index of the word nearest to `text`, or -1 when none is near enough to be meant: more than
 * a third of the longer one's letters would have to change (one change is always near, unless it
 * is the whole word). The first of equals wins.
 */
int word_nearest(const char *text, const char *const *words, size_t count);

#endif
