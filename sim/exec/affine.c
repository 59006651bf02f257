/* affine.c - the shadows of a run. */
#include "affine.h"

#include <stdlib.h>
#include <string.h>

#include "../../base/arena.h"

static size_t shadow_count(const struct execution *e)
{
    return (size_t)e->warp_count * e->program->register_count;
}

struct affine *affine_new(const struct execution *e)
{
    struct affine *f = memory_take(1, sizeof *f);
    f->shadows = memory_take(shadow_count(e), sizeof *f->shadows);
    f->granules = e->shared ? memory_take((size_t)granules_of(e), sizeof *f->granules) : NULL;
    f->follows_data = e->uses != NULL;
    f->numbering = numbering_of_grid(e->launch.grid);
    f->may_split = true;
    return f;
}

void affine_free(struct affine *f)
{
    if (!f)
        return;
    free(f->shadows);
    free(f->granules);
    free(f);
}

void affine_begin(struct execution *e, const struct region *region)
{
    struct affine *f = e->affine;
    f->region = *region;
    f->again = f->changed = f->refused = false;
    memset(f->shadows, 0, shadow_count(e) * sizeof *f->shadows);
    if (f->granules)
        memset(f->granules, 0, (size_t)granules_of(e) * sizeof *f->granules);
    f->motion = (struct motion){.region = &f->region};
    const uint32_t first[AXES] = {region->axis[0].first, region->axis[1].first, region->axis[2].first};
    numbering_terms(&f->numbering, first, f->terms);
    for (unsigned k = 0; k < AXES; k++) {
        unsigned term = f->numbering.builtin[k];
        struct slope slope = {{0}};
        slope.at[term] = f->numbering.extent[term] == 1 ? 0 : term < AXES ? region->axis[term].step : 1;
        numbering_resolve(&f->numbering, region, &slope);
        for (uint32_t w = 0; w < e->warp_count; w++)
            affine_shadows(e, &e->warps[w])[e->program->first_builtin + BUILTIN_BLOCK + k].slope = slope;
    }
}
