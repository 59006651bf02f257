/* panel.h - what a picture shows of one subject, placed in an area of a page.
 *
 * Panels of one access are PANEL_COLS wide and PANEL_ROWS high: what it is, a matrix of 32 lanes or
 * wavefronts, what it costs, and what its site costs in the whole launch. Each cell says in its note which
 * lane it is and what it touches.
 */
#ifndef LANESCOPE_PICTURE_PANEL_H
#define LANESCOPE_PICTURE_PANEL_H

#include "page.h"

/* Of an access, at (col, row). */
typedef void access_panel(struct picture *picture, double col, double row, const struct subject *subject,
                          const struct trace_access *at, bool names_subject);

access_panel panel_coalescing, panel_banks, panel_punchcard;

/* Their legends. */
void legend_coalescing(struct legend *legend);
void legend_banks(struct legend *legend);
void legend_punchcard(struct legend *legend);

/* What the three have in common. */
void panel_head(struct picture *picture, double col, double row, const struct subject *subject,
                const struct trace_access *at, bool names_subject);
void panel_foot(struct picture *picture, double col, double row, const struct subject *subject,
                const struct trace_access *at, const char *cost);
void lane_note(char out[300], const struct subject *subject, const struct trace_access *at, unsigned lane);

enum { MATRIX_COL = 4, MATRIX_ROW = 3, MATRIX_ROWS = 32 };

/* Accesses worth a picture: of the space, within the options' warp, site and step, at most two sites, the
 * costliest in the launch; in the order of the text. Returns how many. */
unsigned choose_accesses(const struct subject *subject, const struct options *options,
                         enum memory_space space, const struct trace_access *chosen[2]);
const struct trace_access *costliest(const struct subject *subject, const struct trace_access *const *of,
                                     unsigned count);

#endif
