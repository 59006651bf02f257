/* owner_map.h - the picture of owner_bins.h. */
#ifndef LANESCOPE_PICTURE_OWNER_MAP_H
#define LANESCOPE_PICTURE_OWNER_MAP_H

#include "owner_bins.h"
#include "page.h"

/* Pieces that fit an area of a page, as many as this. */
enum { OWNERS_ROWS = 31, OWNERS_COLS = 36, OWNERS_COLS_WIDE = 77, OWNERS_LEFT = 7 };

void place_owners(struct picture *picture, const struct area *area, const struct subject *subject,
                  const struct owner_bins *bins);
/* Of two maps side by side, `other` is the second; else NULL. */
void legend_owners(struct legend *legend, const struct owner_bins *bins, const struct owner_bins *other);

#endif
