/* sector.h - what one global-memory instruction of a warp asks of L1 and L2.
 *
 * The rule (source: tests/data/accesses.csv and launches.csv, counted on an H200): one request for an
 * instruction with an active lane; as many sectors as distinct, aligned 32-byte pieces that the active lanes
 * touch. Ideal: the fewest sectors that could hold the distinct bytes asked for. A line is four sectors, 128
 * aligned bytes: what L1 has one tag for. Lines are the distinct ones that the sectors lie in; no counter
 * says so for a single access, they follow from the addresses.
 *
 * A sector that a store writes in part must be joined with what stood there, in the L2 or from DRAM; no
 * counter says how many there are, they follow from the addresses.
 *
 * Atomics (source: 172 single-warp accesses, tests/data/accesses_atomic.csv; two of them are one sector
 * higher): one request; a sector is taken as often as the most lanes ask for one address in it.
 */
#ifndef LANESCOPE_MODEL_SECTOR_H
#define LANESCOPE_MODEL_SECTOR_H

#include "bank.h"

#define SECTOR_BYTES 32u
#define LINE_BYTES   128u

struct sector_cost {
    unsigned sectors;
    unsigned ideal;
    unsigned lines;
    unsigned partial; /* sectors of which not every byte is touched: a store writes them in part */
};

/* Addresses must be counted from a multiple of 32; for `lines` from one of 128. */
struct sector_cost sector_cost_of(const struct lanes *lanes);

/* The access sector by sector, ascending: as many as the cost says; of an atomic each sector once. */
struct sector {
    int64_t index;  /* its first byte / 32 */
    uint32_t lanes; /* that touch it */
};
#define SECTOR_LIMIT 64u /* 32 lanes of at most 2 */
unsigned sectors_of(const struct lanes *lanes, struct sector out[SECTOR_LIMIT]);

/* An atomic sector after sector, and each as often as it is taken: the lanes that taking `part` serves, one
 * an address (their order is an illustration); 0 if the cost has no such part. */
uint32_t sector_taking(const struct lanes *lanes, unsigned part);

#endif
