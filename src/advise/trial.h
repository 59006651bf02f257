/* trial.h - a text, as it stands or changed, simulated: what a candidate does, measured.
 *
 * Two measures. A sample runs a few blocks spread over the grid, and remembers what the kernel does to global
 * memory: which bytes each lane touches, and where what it stores came from. Excess in a sample is excess of
 * the launch, so that a candidate is refuted by few blocks; one that the sample leaves is counted over the
 * whole launch. Two texts whose samples are equal in global memory do the same there, in those blocks.
 */
#ifndef LANESCOPE_ADVISE_TRIAL_H
#define LANESCOPE_ADVISE_TRIAL_H

#include "../options.h"
#include "../totals.h"

#define TRIAL_BLOCKS 8u /* of a sample, at most */

/* What to sum: the accesses of one shared array, or of one site of global memory. */
struct target {
    bool is_shared;
    unsigned index; /* of the array, or of the site */
};

struct cost {
    uint64_t units, ideal; /* wavefronts or sectors */
    uint64_t faults;       /* lanes misaligned or out of bounds */
};

/* Buffers whose rows a change makes longer, by parameter: what a fingerprint sees are the old offsets. */
struct remap {
    int64_t from[64], to[64]; /* bytes of a row, changed and as it was; from 0: as it was */
};

/* What one site does, access by access: two sites whose `shape` is equal differ by the same number of bytes
 * in every access, that of their first ones. */
struct site_stream {
    uint64_t accesses, shape;
    int64_t first, last; /* byte of lane 0 in the first and the last access */
    int buffer;
    uint64_t offsets; /* of active lanes, ored: which multiples they are */
};

struct sample {
    struct cost cost;
    uint64_t fingerprint;        /* of what happens to global memory */
    struct site_stream *streams; /* one a site; NULL: not asked for. The caller frees it */
};

struct trial {
    struct cost cost;                      /* of the whole launch */
    uint64_t sectors, ideal_sectors;       /* of all global accesses */
    uint64_t wavefronts, ideal_wavefronts; /* of all shared ones */
    uint64_t faults;                       /* of all: lanes misaligned or out of bounds */
    uint64_t shared_bytes;
    struct occupancy occupancy;
    bool partial; /* Ctrl-C */
};

/* Both: false after filling the problem, which is of no matter to who tries candidates: it cannot run.
 * `remap`: NULL, or for the fingerprint. `with_streams`: fill those. */
bool sample_of(struct sample *sample, const struct scenario *scenario, const struct target *target,
               const struct remap *remap, bool with_streams, struct problem *problem);
/* `tally`: NULL, or filled with the sums of all sites, for tally_free(). */
bool trial_of(struct trial *trial, const struct scenario *scenario, const struct target *target,
              const struct totals_how *how, struct tally *tally, struct problem *problem);

/* Does the target have this site? A shared one whose array the text does not tell is every array's. */
bool target_has(const struct target *target, const struct program *program, unsigned site);

/* The sums of the target's sites. */
struct cost cost_of(const struct tally *tally, const struct program *program, const struct target *target);

#endif
