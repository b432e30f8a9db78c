#include "core/prng.h"

#include "core/check.h"

uint64_t prng_next(struct prng *prng)
{
    uint64_t z = (prng->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t prng_below(struct prng *prng, uint64_t bound)
{
    CHECK(bound > 0);
    /* 2^64 mod bound values at the bottom would make some remainders likelier: draw again. */
    uint64_t unfair = (0 - bound) % bound;
    uint64_t value;
    do {
        value = prng_next(prng);
    } while (value < unfair);
    return value % bound;
}

void prng_shuffle(struct prng *prng, size_t *items, size_t count)
{
    for (size_t left = count; left > 1; left--) {
        size_t other = (size_t)prng_below(prng, left);
        size_t last = items[left - 1];
        items[left - 1] = items[other];
        items[other] = last;
    }
}
