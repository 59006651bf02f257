/* headnote.h - the comment lines that a kernel's text begins with.
 *
 *     // title: padded
 *     // purpose: The tile with one spare column ...
 *     // block: TILE, BLOCK_ROWS
 *     // grid: (cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE
 *     // shared: TILE * PITCH * 4
 *     // arg: width = cols
 *     // task: copy
 *     // pitch: any
 *     // finding: shared-race
 *
 * block and grid are one to three integer formulas over the text's macros, rows and cols; shared is the bytes
 * of extern __shared__ memory; arg gives a scalar parameter its value; task is what the kernel is for,
 * transpose (also where the line is absent) or copy; pitch is `any` where the kernel is right with any PITCH
 * from TILE on, so that lists of configurations try several; finding is what an audit finds in it
 * (audit/finding.h). All are optional; unknown keys are left alone.
 */
#ifndef LANESCOPE_REPORT_HEADNOTE_H
#define LANESCOPE_REPORT_HEADNOTE_H

#include "../../base/problem.h"

#define HEADNOTE_ARGUMENT_LIMIT 16u

struct headnote { /* spans of the text; size 0 where absent; bytes are not NUL-terminated */
    struct source title, purpose, block, grid, shared, task, pitch, finding;
    struct source arguments[HEADNOTE_ARGUMENT_LIMIT]; /* "width = cols" */
    unsigned argument_count;
};

void headnote_read(const struct source *text, struct headnote *note);

bool headnote_says(const struct source *value, const char *word);

#endif
