/* merge.h - scalar accesses to shared memory that a compiler makes one wide one of.
 *
 * Four scalar stores to tile[y][4 * x + 0 .. 3] became one STS.128 on sm_90: requests and wavefronts are then
 * other ones than those counted for four accesses. Seen here: accesses of different sites, one behind the
 * other in each warp, same lanes, neighbouring addresses, the first at a multiple of all their bytes.
 */
#ifndef LANESCOPE_AUDIT_MERGE_H
#define LANESCOPE_AUDIT_MERGE_H

#include "finding.h"

struct merge_site {
    uint64_t runs, joined; /* accesses; of them behind that of site `before`, next to it */
    unsigned before;
    bool aligned; /* so far always at a multiple of twice its bytes */
};

struct merges {
    const struct program *program;
    struct merge_site *sites;
    struct access last; /* the shared access before; site NULL: none */
};

void merges_init(struct merges *merges, const struct program *program);
void merges_free(struct merges *merges);
void merges_access(struct merges *merges, const struct access *access);
void merge_findings(const struct merges *merges, struct findings *findings);

#endif
