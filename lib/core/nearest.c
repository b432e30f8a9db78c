#include "core/nearest.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#define WORD_MAX 63

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static int same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

size_t word_distance(const char *a, const char *b)
{
    size_t a_length = strlen(a);
    size_t b_length = strlen(b);
    if (a_length > WORD_MAX || b_length > WORD_MAX) {
        return SIZE_MAX;
    }
    size_t cost[WORD_MAX + 1][WORD_MAX + 1];
    for (size_t i = 0; i <= a_length; i++) {
        for (size_t j = 0; j <= b_length; j++) {
            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            size_t change = cost[i - 1][j - 1] + !same_letter(a[i - 1], b[j - 1]);
            cost[i][j] = least(change, least(cost[i - 1][j], cost[i][j - 1]) + 1);
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
                same_letter(a[i - 2], b[j - 1])) {
                cost[i][j] = least(cost[i][j], cost[i - 2][j - 2] + 1);
            }
        }
    }
    return cost[a_length][b_length];
}

int word_nearest(const char *text, const char *const *words, size_t count)
{
    int best = -1;
    size_t best_distance = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        size_t distance = word_distance(text, words[i]);
        size_t longer = strlen(text) > strlen(words[i]) ? strlen(text) : strlen(words[i]);
        int near = distance <= longer / 3 || (distance == 1 && longer > 1);
        if (near && distance < best_distance) {
            best = (int)i;
            best_distance = distance;
        }
    }
    return best;
}
