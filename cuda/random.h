/* random.h - a seeded generator, the same on every machine: splitmix64 (Steele, Lea, Flood 2014). */
#ifndef LANESCOPE_CUDA_RANDOM_H
#define LANESCOPE_CUDA_RANDOM_H

#include <stdint.h>

struct random {
    uint64_t state;
};

static inline struct random random_seeded(uint64_t seed)
{
    return (struct random){seed};
}

static inline uint64_t random_next(struct random *random)
{
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* 0 to limit - 1; the bias of the remainder is below limit / 2^64. */
static inline uint64_t random_below(struct random *random, uint64_t limit)
{
    return random_next(random) % limit;
}

#endif
