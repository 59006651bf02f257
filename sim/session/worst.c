#include "worst.h"

#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"

void worst_init(struct worst *worst, struct tally *tally, uint32_t warps)
{
    size_t count = (size_t)warps * tally->site_count;
    *worst = (struct worst){.tally = tally, .site_count = tally->site_count, .warps = warps};
    worst->open = memory_take(count + 1, sizeof *worst->open);
    worst->touched = memory_take(count + 1, sizeof *worst->touched);
}

void worst_free(struct worst *worst)
{
    free(worst->open);
    free(worst->touched);
    *worst = (struct worst){.tally = NULL};
}

static uint64_t excess(const struct worst_row *row)
{
    return row->units - row->ideal;
}

static void insert(struct worst *worst, const struct worst_row *row)
{
    unsigned at = worst->count;
    if (at == WORST_LIMIT && excess(row) <= excess(&worst->rows[at - 1]))
        return;
    at = at == WORST_LIMIT ? at - 1 : at;
    for (; at > 0 && excess(&worst->rows[at - 1]) < excess(row); at--)
        worst->rows[at] = worst->rows[at - 1];
    worst->rows[at] = *row;
    worst->count += worst->count < WORST_LIMIT;
}

void worst_settle(struct worst *worst)
{
    for (size_t i = 0; i < worst->touched_count; i++) {
        struct worst_row *row = &worst->open[worst->touched[i]];
        if (excess(row))
            insert(worst, row);
        *row = (struct worst_row){.requests = 0};
    }
    worst->touched_count = 0;
}

void worst_access(void *self, const struct access *access)
{
    struct worst *worst = self;
    const struct site_tally *sum = &worst->tally->sites[access->site->id];
    uint64_t units = sum->units, ideal = sum->ideal;
    uint32_t at = access->warp * worst->site_count + access->site->id;
    struct worst_row *row = &worst->open[at];
    tally_access(worst->tally, access);
    if (worst->touched_count &&
        memcmp(worst->open[worst->touched[0]].block, access->block, sizeof access->block) != 0)
        worst_settle(worst);
    if (!row->requests) {
        *row = (struct worst_row){.warp = access->warp, .site = access->site->id, .step = access->step};
        memcpy(row->block, access->block, sizeof row->block);
        worst->touched[worst->touched_count++] = at;
    }
    row->requests++;
    row->units += sum->units - units;
    row->ideal += sum->ideal - ideal;
}
