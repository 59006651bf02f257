/* edit.h - changes to a text: applied, and shown as a diff. */
#ifndef LANESCOPE_ADVISE_EDIT_H
#define LANESCOPE_ADVISE_EDIT_H

#include <stdio.h>

#include "../../base/arena.h"
#include "../../base/problem.h"

#define EDIT_LIMIT 1024u

/* The bytes [begin, end) of the text become `text`; begin == end: it is put in there. */
struct edit {
    size_t begin, end;
    const char *text;
};

/* In any order, not overlapping. */
struct edits {
    struct edit list[EDIT_LIMIT];
    unsigned count;
};

/* Adds a change whose text is printed into `arena`. False: there are too many. */
bool edits_add(struct edits *edits, struct arena *arena, size_t begin, size_t end, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The text with all changes, of the same name, in `arena`. Sorts the changes by place. */
struct source edits_apply(struct edits *edits, const struct source *source, struct arena *arena);

/* The lines that change, as `diff -U0` shows them. The changes are sorted. */
void edits_print(const struct edits *edits, const struct source *source, FILE *out);

#endif
