/* conflicts.h - bank conflicts summed over a launch: by bank, and by cell of a shared array.
 *
 * Accesses of one shape (site, lanes, addresses) cost the same, so shapes are counted and their costs added
 * up when asked for. Of launches of more than CONFLICTS_BLOCKS blocks so many are run, at regular distances
 * (`sampled`). Limit: CONFLICTS_SHAPES shapes; what is beyond them is left out (`cut`).
 */
#ifndef LANESCOPE_SESSION_CONFLICTS_H
#define LANESCOPE_SESSION_CONFLICTS_H

#include "session.h"

#define CONFLICTS_BLOCKS 1024u
#define CONFLICTS_SHAPES 4096u

struct conflict_shape {
    const struct site *site;
    pattern_id pattern;
    uint32_t generation, mask;
    int buffer;
    int64_t base, delta[LANES];
    uint64_t count;
    struct access_cost cost;
};

struct conflicts {
    const struct session *session;
    struct execution *execution;
    struct conflict_shape *shapes;
    uint32_t *places; /* hash table of shapes: number + 1 */
    unsigned shape_count;
    uint64_t done, count; /* blocks */
    bool sampled, cut, failed;
};

void conflicts_init(struct conflicts *conflicts, const struct session *session);
void conflicts_free(struct conflicts *conflicts);
bool conflicts_advance(struct conflicts *conflicts, unsigned blocks); /* false when all are run */
bool conflicts_is_done(const struct conflicts *conflicts);

struct conflict_cell { /* of the accesses that touch it */
    uint64_t requests, units, ideal;
};

/* Of one shared array: `turns` are words that a bank handed out, `extra` those that had to wait for another
 * word of the bank. cells[0 .. count) are the array's elements; set to 0 first by the caller. */
struct conflict_banks {
    uint64_t turns[BANK_COUNT], extra[BANK_COUNT];
};
void conflicts_sum(const struct conflicts *conflicts, int buffer, struct conflict_banks *banks,
                   struct conflict_cell *cells, size_t count);

#endif
