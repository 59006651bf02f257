#include "disorder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "../base/arena.h"
#include "../sim/audit/clash.h"

struct search {
    struct clashes clashes;
    uint64_t lanes;          /* that touch what others touch too, in no order */
    const struct site *site; /* where first */
    uint32_t block[3];
};

static void take_access(void *self, const struct access *access)
{
    struct search *search = self;
    uint32_t lanes = access->hazard | access->unordered;
    if (access->site->kind->op == ACCESS_STORE)
        clashes_access(&search->clashes, access);
    if (lanes && !search->site) {
        search->site = access->site;
        for (unsigned i = 0; i < 3; i++)
            search->block[i] = access->block[i];
    }
    search->lanes += (uint64_t)__builtin_popcount(lanes);
}

static void say(const struct search *search, char out[DISORDER_TEXT])
{
    const struct clashes *clashes = &search->clashes;
    bool clash = clashes->different > 0;
    const struct site *site = clash ? clashes->site : search->site;
    const uint32_t *block = clash ? clashes->block : search->block;
    if (!site)
        return;
    (void)snprintf(
        out, DISORDER_TEXT,
        "the kernel races at %.60s:%d, in block (%u, %u, %u) first: %" PRIu64
        " %s, and CUDA defines no order for them. What differs may be another order, which is no mistake of "
        "the simulation",
        site->place.source->name, site->line, block[0], block[1], block[2],
        clash ? clashes->different : search->lanes,
        clash ? "lanes store another value than a lane beside them to the same cell"
              : "lanes touch shared cells that another lane writes, without a barrier in between");
}

void disorder_find(const struct scenario *scenario, char out[DISORDER_TEXT])
{
    struct problem ignored = {0};
    struct search *search = memory_take(1, sizeof *search);
    struct sink sink = {.self = search, .access = take_access};
    struct execution *execution = execution_new(scenario->program, &scenario->launch, true, &ignored);
    uint64_t blocks = launch_blocks(&scenario->launch);
    out[0] = '\0';
    if (execution && execution_run_blocks(execution, 0, blocks < DISORDER_BLOCKS ? blocks : DISORDER_BLOCKS,
                                          &sink, &ignored))
        say(search, out);
    execution_free(execution);
    free(search);
}
