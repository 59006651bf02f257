/* layout.h - other layouts of a shared array: longer rows, and exclusive-or of its offsets.
 *
 * A pad makes each row so many elements longer. Which bank an element lies in depends on the row's bytes
 * modulo 128, so that the pads of one such period are all that there is: none free of excess among them is a
 * proof. For an array of one dimension a "row" is 128 bytes of it.
 *
 * A swizzle is CuTe's Swizzle<B,M,S> on byte offsets from the array's beginning: bits [M, M+B) are
 * exclusive-ored with bits [M+S, M+S+B). Tried are all that change banks within the array: an element stays
 * whole (2^M is at least its bytes), the bits that change are those of the bank (M + B at most 7), and both
 * lie within the array.
 */
#ifndef LANESCOPE_ADVISE_LAYOUT_H
#define LANESCOPE_ADVISE_LAYOUT_H

#include "edit.h"
#include "trial.h"
#include "uses.h"

#define BANK_PERIOD     128u /* bytes */
#define CANDIDATE_LIMIT 1024u

struct swizzle {
    unsigned b, m, s;
};

struct candidate {
    bool is_pad;
    uint64_t pad;           /* elements a row */
    struct swizzle swizzle; /* else */
    bool runs;              /* it could be applied and simulated */
    bool same;              /* as the text in global memory, in the sample */
    struct sample sample;
    bool is_clean;      /* same, no fault, and no excess in the whole launch */
    struct trial trial; /* where it is clean, or the best of its kind */
    bool has_trial;
    struct edits *edits; /* of the text; in the layout's arena */
};

struct layout {
    const struct options *options;
    const struct scenario *scenario;
    struct uses uses;
    struct target target;
    unsigned elem_bytes;
    unsigned widest; /* bytes that a lane moves at once, at most */
    struct sample before;
    struct trial now;   /* the text as it stands, over the whole launch */
    struct tally tally; /* likewise, site by site */
    struct candidate list[CANDIDATE_LIMIT];
    unsigned count;
    unsigned pads, swizzles;             /* that were tried */
    unsigned clean_pads, clean_swizzles; /* that are free of excess */
    const struct candidate *pad,
        *swizzle; /* the best of its kind, where one was tried that runs and is the same */
    char no_pads[200], no_swizzles[200]; /* why none were tried; "" */
    struct arena arena;
};

/* All of shared array `index`: false after filling the problem, where the text itself cannot run. With no
 * excess nothing is tried. Either way layout_free(). */
bool layout_search(struct layout *layout, const struct options *options, const struct scenario *scenario,
                   unsigned index, struct problem *problem);
void layout_free(struct layout *layout);

/* How wide an access, at most 16 bytes, a row's beginning is aligned for and an exclusive-or leaves whole.
 * NULL: in the text as it stands. */
unsigned layout_alignment(const struct layout *layout, const struct candidate *candidate);

/* The swizzle of a byte offset, as an expression of C: "byte ^ (byte >> 3 & 0x70)". */
void swizzle_print(const struct swizzle *swizzle, char *out, size_t size);

#endif
