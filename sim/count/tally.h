/* tally.h - sums of what the accesses of a launch cost, site by site.
 *
 * A tally is a sink's consumer: hand tally_access() every access. Costs are remembered by (pattern, mask,
 * alignment), so that an access whose shape came before costs a look-up; sites whose addresses do not depend
 * on the block are therefore costed once.
 */
#ifndef LANESCOPE_COUNT_TALLY_H
#define LANESCOPE_COUNT_TALLY_H

#include "../exec/exec.h"
#include "../model/bank.h"

struct site_tally {
    uint64_t requests; /* warp instructions with an active lane */
    uint64_t emulated; /* tally_sum() only: of those, atomics whose cost nobody predicts (model/bank.h) */
    uint64_t lanes;    /* active lanes */
    uint64_t units;    /* of the kind (lang/access_kind.h): sectors or wavefronts */
    uint64_t ideal;    /* of the same unit */
    uint64_t partial;  /* global: sectors of each request of which it touches a part; shared: 0 */
    uint64_t lines;    /* global: distinct 128-byte lines of each request; shared: 0 */
    uint64_t out_of_bounds; /* lanes */
    uint64_t misaligned;    /* lanes */
    uint64_t skipped;       /* times a warp passed it with no lane: a compiler may issue it predicated off */
};

struct tally_memo;

struct tally {
    unsigned site_count;
    struct site_tally *sites;
    struct tally_memo *memo;
    unsigned memo_bits, missed; /* 2^memo_bits of them; more that were missed make it grow */
    struct tally_memo *last;    /* one a site: most accesses repeat the one before */
};

void tally_init(struct tally *tally, unsigned site_count);
void tally_free(struct tally *tally);
void tally_access(void *tally, const struct access *access); /* fits struct sink */

/* The access as often as that many blocks have it. False: a sum does not fit 64 bits. */
bool tally_access_times(struct tally *tally, const struct access *access, uint64_t times);

void tally_skipped(void *tally, const struct site *site); /* likewise; needed only for `skipped` */

/* Adds the sums of another tally of the same program: of other blocks. */
void tally_add(struct tally *tally, const struct tally *other);

/* The access as the model takes it: addresses from a multiple of 256 bytes, or in shared memory. */
struct lanes access_lanes(const struct access *access);

/* What one access costs, in its space's unit. */
struct access_cost {
    uint32_t units, ideal;
    uint32_t lines, partial; /* global memory only */
};
struct access_cost access_cost_of(const struct access *access);

/* Sums over the sites of one kind. */
struct site_tally tally_sum(const struct tally *tally, const struct program *program,
                            enum access_kind_id kind);

#endif
