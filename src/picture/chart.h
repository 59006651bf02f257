/* chart.h - pictures of whole launches: the ladder as bars, a curve over pitches, owners as a map. */
#ifndef LANESCOPE_PICTURE_CHART_H
#define LANESCOPE_PICTURE_CHART_H

#include "../ladder_list.h"
#include "page.h"

#define CURVE_LIMIT 257u

struct pitch_cost {
    uint64_t pitch;
    bool failed; /* the kernel cannot run with it */
    uint64_t wavefronts, ideal;
};

struct pitch_curve {
    struct pitch_cost at[CURVE_LIMIT];
    unsigned count;
};

/* Runs the launch with each pitch, from the tile's rows to twice that. False after filling the problem. */
bool curve_count(struct pitch_curve *curve, const struct subject *subject, const struct options *options,
                 struct problem *problem);
enum { CURVE_LEFT = 12, LADDER_LEFT = 14 }; /* columns before the bars */
void place_curve(struct picture *picture, const struct area *area, const struct subject *subject,
                 const struct pitch_curve *curve);
void legend_curve(struct legend *legend);

/* Rows of the ladder, at most LADDER_ROWS of them; `own`: the row that is set off, or NULL. */
enum { LADDER_ROWS = 18 };
void place_ladder(struct picture *picture, const struct area *area, const struct ladder_row *rows,
                  size_t count, const struct ladder_row *own);
void legend_ladder(struct legend *legend);

#endif
