/* subject.h - what a picture is of: a kernel with its sizes, a block of it traced, its launch in numbers.
 *
 * The numbers are those of the other commands: of an access the session's, of the launch totals.h.
 */
#ifndef LANESCOPE_PICTURE_SUBJECT_H
#define LANESCOPE_PICTURE_SUBJECT_H

#include "../../base/text.h"
#include "../../sim/session/session.h"
#include "../options.h"
#include "../totals.h"

struct subject {
    const char *name; /* the operand */
    struct text text;
    char *own_text; /* of another pitch, written into a copy; NULL: none */
    uint64_t pitch; /* of its tile; 0: it has none that could be another */
    struct session *session;
    struct totals totals; /* after subject_count() */
    bool counted;
};

/* At the block that the options say, else the first. False after filling the problem; close it either way. */
bool subject_open(struct subject *subject, const char *operand, const struct options *options,
                  struct problem *problem);

/* The same kernel with another pitch, wherever its text says the pitch. The first must stay open. */
bool subject_open_pitch(struct subject *subject, const struct subject *of, uint32_t pitch,
                        const struct options *options, struct problem *problem);
void subject_close(struct subject *subject);

/* The launch in numbers. */
bool subject_count(struct subject *subject, const struct options *options, struct problem *problem);

/* "100 x 70 matrix of 4-byte elements, ..., sm_90: rules verified against hardware counters"; of two pitches
 * of one kernel both pitches (`other`; else NULL). */
enum { SUBJECT_LINE = 600 };
void subject_configuration(const struct subject *subject, const struct subject *other,
                           char out[SUBJECT_LINE]);

/* "tiled, pitch 32", as short as it can be told from another. */
void subject_short(const struct subject *subject, char out[SUBJECT_LINE]);

#endif
