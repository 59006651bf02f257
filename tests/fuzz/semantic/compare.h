/* compare.h - one kernel's threads on the host against lanescope's stream of accesses.
 *
 * Compared, access by access in each thread's own order: buffer, byte offset, bytes, load or store, the
 * barriers passed, the span in the text. And for each access of a warp: its mask is the set of all lanes that
 * come to that place in the same turns of the loops around it, so lanes that diverged run together again as
 * soon as they can; lanes out of bounds and misaligned are those that the launch says.
 */
#ifndef LANESCOPE_FUZZ_COMPARE_H
#define LANESCOPE_FUZZ_COMPARE_H

#include "../../../sim/ptx/ptx.h"
#include "gen.h"

enum outcome {
    OUTCOME_EQUAL,
    OUTCOME_DIFFERS,
    OUTCOME_REFUSED,  /* by lanescope: `message` says why */
    OUTCOME_LONG,     /* too many accesses to be worth it */
    OUTCOME_UNDEFINED /* the host did what the language does not define */
};

struct comparison {
    enum outcome outcome;
    char message[500];
    int line, column;       /* refused: where */
    unsigned long accesses; /* of warps, that were equal */
};

/* `library`: a dlopen()ed host text that holds run_NAME(). */
void compare(const struct gen *g, void *library, unsigned host_name, bool track_values,
             struct comparison *result);

/* The same with the PTX that a compiler made of the host text, `unit` being that of a batch. Masks, places
 * and what lies outside its buffer are not compared: lanes run together as the compiler saw fit. */
void compare_ptx(const struct gen *g, struct ptx_unit *unit, void *library, unsigned host_name,
                 struct comparison *result);

/* Sets `on` of each of gen_features. */
void compare_features(void);

#endif
