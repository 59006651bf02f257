/* cells.h - buffers whose contents are known: numbers that loads give and stores change. Inside exec.
 *
 * What a buffer holds when the kernel begins is a function of the cell (struct contents, launch.h); what the
 * kernel writes lies over it, in a table that holds the written cells only. A cell is one integer of the
 * buffer's type. It holds a number, or data, of which the token is known.
 *
 * Limit: CELLS_WRITTEN_LIMIT cells of a buffer are written; more is a problem, like memory that is not there.
 */
#ifndef LANESCOPE_EXEC_CELLS_H
#define LANESCOPE_EXEC_CELLS_H

#include "data.h"

#define CELLS_WRITTEN_LIMIT (UINT64_C(1) << 23)

struct cell {
    bool is_number;
    int64_t value; /* the number, as bits of as many bytes as were asked for; or the token */
};

/* Takes what the launch says of its buffers; e->cells stays NULL where it says nothing. */
void cells_begin(struct execution *e);
void cells_free(struct execution *e);

/* The buffers hold again what they held when the kernel began. */
void cells_rewind(struct execution *e);

static inline bool cells_are_known(const struct execution *e, unsigned buffer)
{
    return e->cells && e->cells[buffer].contents;
}

/* One lane: `bytes` (1, 2, 4, 8) at a byte offset of a buffer whose cells are known. What is read outside the
 * buffer, or misaligned, is data; what is written there is lost. The width need not be a cell's. False: a
 * problem is set. */
bool cells_read(struct execution *e, const struct instruction *at, unsigned buffer, int64_t offset,
                unsigned bytes, struct cell *cell);
bool cells_write(struct execution *e, const struct instruction *at, unsigned buffer, int64_t offset,
                 unsigned bytes, struct cell cell);

/* All lanes of e->access, a load: its components into dst, as numbers where every lane has one. */
bool cells_load(struct execution *e, const struct warp *warp, const struct instruction *at,
                struct value *dst);
/* All lanes of e->access, a store of these components, whose tokens are in the access. */
bool cells_store(struct execution *e, const struct instruction *at, const struct value *stored);

/* Bits as a number of this kind holds them. */
static inline int64_t cells_wrap(enum number_kind kind, int64_t bits)
{
    unsigned spare = 64 - (8u << (unsigned)kind / 2);
    uint64_t high = (uint64_t)bits << spare;
    return kind % 2 ? (int64_t)(high >> spare) : (int64_t)high >> spare;
}

/* 32 numbers as what a LOAD of this held_kind gives; the lanes outside `mask` repeat one of the others. */
struct value cells_value(struct execution *e, unsigned held, uint32_t mask, int64_t numbers[LANES]);

#endif
