/* repitch.h - another pitch for a kernel's tile, wherever the text says the pitch.
 *
 * A text that uses PITCH takes it from the options. In a text that writes it into the declaration of a shared
 * array, tile[32][32], the last dimension is exchanged in a copy of the text; the file on the disk is never
 * touched. A tile of as many rows as columns, but for a pad, says its width itself; of others it is what the
 * block of the session touches of a row. Limit: arrays of two dimensions, declared in the kernel's own text,
 * not in a macro.
 */
#ifndef LANESCOPE_SESSION_REPITCH_H
#define LANESCOPE_SESSION_REPITCH_H

#include "session.h"

struct repitch {
    bool by_option;      /* the text uses PITCH */
    uint32_t begin, end; /* otherwise: the last dimension, bytes of the text */
    int line;            /* of that, or of the text's own #define PITCH; 0: none */
    const char *name;    /* of the array; NULL: there is none of two dimensions */
    unsigned array;      /* its index */
    uint64_t pitch;      /* elements of a row, as declared or as the options say */
};

/* Of the array that `at` touches (NULL: the first that has two dimensions). False: there is none. */
bool repitch_find(const struct session *session, const struct access *at, struct repitch *found);

/* Elements of a row that hold data, at least 1. Takes time with the accesses of the session's block. */
uint64_t repitch_width(const struct session *session, const struct repitch *found);

/* A session with another pitch, at the first block. `*text`: a text that the session reads and the caller
 * frees after it; NULL: it reads the old one. NULL after filling the problem. */
struct session *repitch_open(const struct session *session, const struct repitch *found, uint32_t pitch,
                             char **text, struct problem *problem);

#endif
