/* legend.h - what the colours of a picture mean, in a row that goes on below where it is full. */
#ifndef LANESCOPE_PICTURE_LEGEND_H
#define LANESCOPE_PICTURE_LEGEND_H

#include "picture.h"

struct legend {
    struct picture *picture;
    double left, cols; /* columns */
    double col, row;   /* of what comes next */
};

struct legend legend_at(struct picture *picture, double col, double row, double cols);
void legend_entry(struct legend *legend, enum ink ink, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Inks that stand for one thing, before the entry that says which. */
void legend_swatch(struct legend *legend, enum ink ink);

/* A sentence below the entries, in as many rows as it takes. */
void legend_remark(struct legend *legend, const char *text);

/* The six levels of a cost against its ideal. */
void legend_ratios(struct legend *legend);

#endif
