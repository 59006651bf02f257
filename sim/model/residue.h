/* residue.h - k * a mod m for k = 0, 1, 2, ...: the arithmetic of a stride over banks.
 *
 * The residues come round after m / gcd(a, m) steps. m is at least 1.
 */
#ifndef LANESCOPE_MODEL_RESIDUE_H
#define LANESCOPE_MODEL_RESIDUE_H

#include <stdint.h>

static inline unsigned residue_gcd(unsigned a, unsigned b)
{
    while (b) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The first k > 0 at which the residue is 0 again. */
static inline unsigned residue_period(unsigned modulus, unsigned stride)
{
    return modulus / residue_gcd(modulus, stride % modulus);
}

static inline unsigned residue_at(unsigned modulus, unsigned stride, unsigned k)
{
    return (unsigned)((uint64_t)k * stride % modulus);
}

#endif
