#include "ownermap.h"

#include <stdlib.h>
#include <string.h>

#include "../arena.h"

void ownermap_init(struct ownermap *map, int out, unsigned elem_bytes, uint64_t first, uint64_t count)
{
    *map = (struct ownermap){.out = out, .elem_bytes = elem_bytes, .first = first, .count = count};
    map->cells = memory_take(count, sizeof *map->cells);
}

void ownermap_free(struct ownermap *map)
{
    free(map->cells);
    *map = (struct ownermap){0};
}

static void record(struct ownermap *map, const struct access *access, unsigned lane)
{
    const struct site *site = access->site;
    unsigned part_bytes = site->lane_bytes / site->components;
    uint64_t offset = (uint64_t)access_offset(access, lane);
    for (unsigned c = 0; c < site->components; c++) {
        uint64_t byte = offset + (uint64_t)c * part_bytes, cell = byte / map->elem_bytes;
        if (byte % map->elem_bytes || cell < map->first || cell - map->first >= map->count)
            continue;
        struct owner *owner = &map->cells[cell - map->first];
        owner->writes++;
        memcpy(owner->block, access->block, sizeof owner->block);
        owner->warp = access->warp;
        owner->lane = lane;
        owner->visit = access->visit;
        owner->step = access->step;
        owner->token = data_at(&access->data[c], lane);
    }
}

void ownermap_access(void *self, const struct access *access)
{
    struct ownermap *map = self;
    if (access->site->op != ACCESS_STORE || access->site->space != SPACE_GLOBAL || access->buffer != map->out)
        return;
    for (uint32_t lanes = access->mask & ~access->out_of_bounds; lanes; lanes &= lanes - 1)
        record(map, access, (unsigned)__builtin_ctz(lanes));
}
