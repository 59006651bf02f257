/* owners_run.h - who wrote each output cell of a launch of any size: the one way to it, for owners and for
 * pictures. By census where that works, otherwise block by block, by several threads where blocks may run in
 * any order.
 */
#ifndef LANESCOPE_OWNERS_RUN_H
#define LANESCOPE_OWNERS_RUN_H

#include "../sim/audit/ownermap.h"
#include "../sim/audit/owners.h"
#include "../sim/census/proof.h"
#include "../sim/report/scenario.h"

struct owners_run {
    unsigned workers; /* threads; at least 1 */
    bool has_map;     /* who wrote which cell is kept: every block is then run, in their order */
    bool quiet;       /* why the census gave up is not said */
    /* What came of it: */
    struct ownermap map; /* has_map: of the whole output */
    struct owners_report report;
    struct noticed noticed;
    uint64_t blocks, done; /* of the launch; whose writes were seen */
    bool partial;          /* Ctrl-C ended it */
    bool is_proof;         /* the report is by census */
    struct proof proof;
    struct owners *owners;
};

/* Between interrupt_begin() and interrupt_end() Ctrl-C ends it early (`partial`). `enumerate`: not by census.
 * False after filling the problem. Free it either way. */
bool owners_run_all(struct owners_run *run, const struct scenario *s, bool enumerate,
                    struct problem *problem);
void owners_run_free(struct owners_run *run);

#endif
