/*
 * A small pseudo-random generator whose sequence is part of the contract: the same seed gives the
 * same order of runs, the same generated names, the same permutations on every machine and in
 * every version. It is splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
 * generators", OOPSLA 2014). Not for secrets.
 */
#ifndef CORE_PRNG_H
#define CORE_PRNG_H

#include <stddef.h>
#include <stdint.h>

/* One stream; seed it by assignment: struct prng prng = {seed}. One thread at a time. */
struct prng {
    uint64_t state;
};

/* The next 64 bits. */
uint64_t prng_next(struct prng *prng);

/* A number in [0, bound), each equally likely; `bound` is at least 1. */
uint64_t prng_below(struct prng *prng, uint64_t bound);

/* Fisher-Yates from the last element down: every order of items[0..count) equally likely. */
void prng_shuffle(struct prng *prng, size_t *items, size_t count);

#endif
