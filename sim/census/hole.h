/* hole.h - the cells that no box of a cover has: which comes first, and what shape they make. */
#ifndef LANESCOPE_CENSUS_HOLE_H
#define LANESCOPE_CENSUS_HOLE_H

#include "../audit/owners.h"
#include "cover.h"

/* After cover_count(), of boxes of which no two meet and that are written once: what owners_first_hole() says
 * after every block was run. False: no cell is missing, or a box has a band. Takes time with the number of
 * boxes, not with the matrix. */
bool hole_of(const struct cover *cover, struct owners_hole *hole);

#endif
