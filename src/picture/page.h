/* page.h - what the pictures have in common: a page of a slide's shape with a title, the configuration, one
 * or two panels side by side, a legend and where its numbers come from.
 *
 * A kind of picture is a row of the table in page.c: it says which accesses it is of and places a panel.
 */
#ifndef LANESCOPE_PICTURE_PAGE_H
#define LANESCOPE_PICTURE_PAGE_H

#include "legend.h"
#include "subject.h"

#define PAGE_COLS  170.0
#define PAGE_ROWS  (PAGE_COLS * PICTURE_CELL_WIDTH * 9 / 16 / PICTURE_CELL_HEIGHT) /* 16 : 9 */
#define PAGE_EDGE  4.0 /* columns left and right */
#define PANEL_COLS 79.0
#define PANEL_ROWS 38.0

/* Where a panel lies on a picture. */
struct area {
    double col, row, cols, rows;
};

void page_init(struct picture *picture, const char *title);
void page_configuration(struct picture *picture, const struct subject *subjects, unsigned count);
struct area page_panel(unsigned index, unsigned count);
void page_source(struct picture *picture, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The place of its legend, so far in. */
struct legend page_legend(struct picture *picture, double indent);

/* The text, cut to so many characters. */
const char *cut_to(struct picture *picture, const char *text, double cols);

#endif
